package exporting

import (
	"errors"
	"io"
)

// codebookVariables are the columns of the codebook: a row is a variable, or a value of one.
var codebookVariables = []variable{
	{name: "variable", kind: text, description: "Name of the variable"},
	{name: "kind", kind: text, description: "number, code, text or time"},
	{name: "question_number", kind: number, description: "Number of the question in the published guide"},
	{name: "item_id", kind: text, description: "Id of the question"},
	{name: "type", kind: text, description: "Type of the question"},
	{name: "question", kind: text, description: "Text of the question, or what the variable means"},
	{name: "concept_id", kind: text, description: "Id of the concept"},
	{name: "concept", kind: text, description: "Title of the concept"},
	{name: "part_id", kind: text, description: "Id of the option or row that the variable is about"},
	{name: "part", kind: text, description: "The option, row, screen or kind of text that the variable is about"},
	{name: "code", kind: number, description: "A value of the variable"},
	{name: "option_id", kind: text, description: "Id of the option that the value stands for"},
	{name: "label", kind: text, description: "What the value means"},
	{name: "missing", kind: text, description: "yes: the value says why there is none; SPSS files have it, other files have an empty cell"},
}

// codebook makes the rows of the codebook: one for each variable, followed by one for each of its values.
func (d *dictionary) codebook(row func([]cell) error) error {
	for _, i := range d.written {
		v := &d.variables[i]
		what, asked := v.description, cell{}
		if v.questionnaired {
			what = v.text
		}
		if v.question > 0 {
			asked = intCell(v.question)
		}
		line := func(values ...cell) error {
			return row(append([]cell{
				textCell(v.name), textCell(string(v.kind)), asked, textCell(v.itemID), textCell(v.itype), textCell(what), textCell(v.conceptID), textCell(v.concept),
				textCell(v.partID), textCell(v.part),
			}, values...))
		}
		if err := line(cell{}, cell{}, cell{}, cell{}); err != nil {
			return err
		}
		for _, one := range v.values {
			if err := line(intCell(one.code), textCell(one.id), textCell(one.label), cell{}); err != nil {
				return err
			}
		}
		if !v.missing {
			continue
		}
		for _, one := range missingLabels {
			if err := line(intCell(one.code), cell{}, textCell(one.label), textCell("yes")); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeCodebook writes the codebook alone.
func (e *export) writeCodebook(to io.Writer) (err error) {
	t, err := e.newTable(e.options.Format, to, "Codebook", codebookVariables)
	if err != nil {
		return err
	}
	if closer, ok := t.(io.Closer); ok {
		defer func() { err = errors.Join(err, closer.Close()) }()
	}
	if err := e.codebook(t.row); err != nil {
		return err
	}
	return t.close()
}
