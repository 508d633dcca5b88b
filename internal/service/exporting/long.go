package exporting

// longVariables are the columns of the long layout: a row is one value of a response.
var longVariables = []variable{
	{name: "response", kind: number, description: "Number of the response"},
	{name: "response_id", kind: text, description: "Id of the response"},
	{name: "status", kind: text, description: "How far the interview got"},
	{name: "variable", kind: text, description: "Name of the variable, as in the wide layout and the codebook"},
	{name: "question_number", kind: number, description: "Number of the question in the published guide"},
	{name: "item_id", kind: text, description: "Id of the question"},
	{name: "type", kind: text, description: "Type of the question"},
	{name: "question", kind: text, description: "Text of the question"},
	{name: "concept_id", kind: text, description: "Id of the concept that is asked about"},
	{name: "concept", kind: text, description: "Title of the concept"},
	{name: "part_id", kind: text, description: "Id of the option or row"},
	{name: "part", kind: text, description: "The option, row, screen or kind of text that the value belongs to"},
	{name: "code", kind: number, description: "The value as a number or code"},
	{name: "value", kind: text, description: "The value in words"},
}

// longRows makes a row of each value of a response. Missing ones have none, unless their codes are asked for.
func (e *export) longRows(r *record, row func([]cell) error) error {
	cells := e.cells(r)
	begin := []cell{cells[inResponse], cells[inResponseID], cells[inStatus]}
	for _, i := range e.written {
		v, c := &e.variables[i], cells[i]
		if c.state == empty || c.state == missed && !e.options.Missing || i == inResponse || i == inResponseID || i == inStatus {
			continue
		}
		question, part, coded := cell{}, v.part, cell{}
		if v.question > 0 {
			question = intCell(v.question)
		}
		if !v.questionnaired {
			part = v.description
		}
		if v.kind == number || v.kind == code {
			coded = c
		}
		if err := row(append(begin[:3:3],
			textCell(v.name), question, textCell(v.itemID), textCell(v.itype), textCell(v.text), textCell(v.conceptID), textCell(v.concept),
			textCell(v.partID), textCell(part), coded, textCell(v.plain(c, true, e.options.Missing)),
		)); err != nil {
			return err
		}
	}
	return nil
}
