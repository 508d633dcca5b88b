package exporting

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/maxdiff"
	"verbatim/internal/service/reporting"
)

// Widths of texts in formats with columns of fixed width, in bytes. They depend on nothing that was answered, so that the files of two waves
// of a study have the same structure.
const (
	shortText  = 64
	middleText = 1000
	answerText = 4000
	longText   = 16000
)

// dictionary holds all variables of a study, in their order.
type dictionary struct {
	variables  []variable
	written    []int          // indexes of the variables that are written
	parameters map[string]int // the variables of link parameters, by name
	groups     map[place]*group
	taken      map[string]bool // names, in lower case
}

// place names a question, about a concept if there are concepts.
type place struct{ itemID, conceptID string }

// group holds the variables of one question about one concept.
type group struct {
	question  *reporting.Question
	first     int // index of its first variable
	count     int
	followUps int // index of the text of its follow-ups; -1: it has none
	other     int // index of the texts of options in own words; -1: it has none
	screens   int // of a MaxDiff
	size      int // options of a screen
}

// The variables at response level, by their indexes.
const (
	inResponse = iota
	inResponseID
	inStatus
	inHidden
	inQuality
	inJudged
	inLanguage
	inRevision
	inStarted
	inEnded
	inUpdated
	inSeconds
	inTags
	inTagline
	inSummary
	inBullets
	inParameters // all link parameters as JSON
)

var noYes = []value{{0, "", "no"}, {1, "", "yes"}}

var selection = []value{{0, "", "not selected"}, {1, "", "selected"}}

// newDictionary returns the variables of a study. It depends on its guides and on the names of the link parameters alone.
func newDictionary(q *reporting.Questionnaire, parameters []string) *dictionary {
	d := &dictionary{parameters: map[string]int{}, groups: map[place]*group{}, taken: map[string]bool{}}
	for _, v := range []variable{
		inResponse:   {name: "response", kind: number, description: "Number of the response"},
		inResponseID: {name: "response_id", kind: text, width: shortText, description: "Id of the response"},
		inStatus:     {name: "status", kind: text, width: shortText, description: "How far the interview got: complete, in_progress, abandoned, screened_out"},
		inHidden:     {name: "hidden", kind: code, values: noYes, description: "Hidden by a researcher"},
		inQuality:    {name: "quality", kind: number, decimals: true, description: "Quality from 1 to 5, by the analysis"},
		inJudged:     {name: "quality_judged", kind: number, decimals: true, description: "Quality from 1 to 5, as a person judged it"},
		inLanguage:   {name: "language", kind: text, width: shortText, description: "Language of the interview"},
		inRevision:   {name: "revision", kind: number, description: "Revision of the guide"},
		inStarted:    {name: "started_at", kind: timestamp, description: "Start of the interview, UTC"},
		inEnded:      {name: "ended_at", kind: timestamp, description: "End of the interview, UTC"},
		inUpdated:    {name: "updated_at", kind: timestamp, description: "Last change of the response, UTC"},
		inSeconds:    {name: "duration_seconds", kind: number, description: "Duration of the interview in seconds"},
		inTags:       {name: "tags", kind: text, width: middleText, description: "Tags"},
		inTagline:    {name: "tagline", kind: text, width: middleText, description: "Tagline, by the analysis"},
		inSummary:    {name: "summary", kind: text, width: answerText, description: "Summary, by the analysis"},
		inBullets:    {name: "bullets", kind: text, width: answerText, description: "Bullet points, by the analysis"},
		inParameters: {name: "parameters", kind: text, width: answerText, description: "All parameters of the link, as JSON"},
	} {
		d.add(v)
	}
	for _, name := range parameters {
		if _, twice := d.parameters[name]; !twice {
			d.parameters[name] = d.add(variable{name: "param_" + identifier(name), kind: text, width: middleText, description: "Link parameter " + name})
		}
	}
	facts := factsOf(q)
	gone := 0
	for i := range q.Questions {
		one := &q.Questions[i]
		prefix := "q" + strconv.Itoa(one.Number)
		if one.Number == 0 {
			gone++
			prefix = "x" + strconv.Itoa(gone)
		}
		f := facts[one.ID]
		if f.plain || len(one.Concepts) == 0 {
			d.addGroup(one, f, prefix, reporting.Entry{})
		}
		for c, concept := range one.Concepts {
			d.addGroup(one, f, prefix+"_c"+strconv.Itoa(c+1), concept)
		}
	}
	d.add(variable{name: "transcript", kind: text, width: longText, description: "The whole interview, moderator and participant"})
	return d
}

// add adds a variable under a name that no other has, and returns its index.
func (d *dictionary) add(v variable) int {
	name := v.name
	for n := 2; d.taken[strings.ToLower(name)]; n++ {
		name = v.name + "_" + strconv.Itoa(n)
	}
	d.taken[strings.ToLower(name)] = true
	v.name = name
	d.variables = append(d.variables, v)
	return len(d.variables) - 1
}

// identifier returns a name of ASCII letters, digits and underscores, of at most 40 bytes.
func identifier(s string) string {
	var b strings.Builder
	for _, r := range s {
		if b.Len() == 40 {
			break
		}
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			r = '_'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// facts holds those properties of an item, over all revisions, that decide its variables.
type facts struct {
	plain     bool // asked without a concept in some revision
	followUps bool
	options   int // of a MaxDiff
	size      int // options of its screens
}

func factsOf(q *reporting.Questionnaire) map[string]*facts {
	all := map[string]*facts{}
	for _, revision := range q.Revisions {
		for at, item := range revision.Guide.Items() {
			f := all[item.ID]
			if f == nil {
				f = &facts{}
				all[item.ID] = f
			}
			f.plain = f.plain || len(revision.Guide.Blocks[at.Block].Concepts()) == 0
			f.followUps = f.followUps || item.Type == guide.OpenEnded && item.FollowUp.Limit() > 0
			if item.Type == guide.MaxDiff {
				f.options, f.size = max(f.options, len(item.Options)), max(f.size, item.ScreenSize())
			}
		}
	}
	return all
}

// addGroup adds the variables of a question about a concept; the zero concept stands for none.
func (d *dictionary) addGroup(q *reporting.Question, f *facts, prefix string, concept reporting.Entry) {
	g := &group{question: q, first: len(d.variables), followUps: -1, other: -1}
	add := func(suffix string, v variable) int {
		v.name, v.questionnaired = prefix+suffix, true
		v.question, v.itemID, v.itype, v.text = q.Number, q.ID, string(q.Type), q.Text
		v.conceptID, v.concept = concept.ID, concept.Label
		return d.add(v)
	}
	switch q.Type {
	case guide.OpenEnded:
		add("", variable{kind: text, width: answerText})
		if f.followUps {
			g.followUps = add("_followups", variable{kind: text, width: answerText, part: "follow-ups and replies"})
		}
	case guide.FileUpload:
		add("", variable{kind: text, width: middleText, part: "names of the files"})
	case guide.MultipleChoice:
		if !q.Multi {
			add("", variable{kind: code, values: codesOf(q), missing: true})
		}
		for i, o := range q.Options {
			if q.Multi {
				add("_"+strconv.Itoa(i+1), variable{kind: code, values: selection, missing: true, partID: o.ID, part: o.Label})
			}
		}
	case guide.Ranking:
		for i, o := range q.Options {
			add("_"+strconv.Itoa(i+1), variable{kind: number, missing: true, partID: o.ID, part: "rank of " + o.Label})
		}
	case guide.Matrix:
		for i, row := range q.Rows {
			add("_"+strconv.Itoa(i+1), variable{kind: code, values: codesOf(q), missing: true, partID: row.ID, part: row.Label})
		}
	case guide.MaxDiff:
		g.size, g.screens = f.size, screensOf(f)
		for screen := range g.screens {
			name := fmt.Sprintf("_s%d", screen+1)
			for i := range g.size {
				add(name+"_"+strconv.Itoa(i+1), variable{kind: code, values: codesOf(q), missing: true, part: fmt.Sprintf("screen %d, option shown in place %d", screen+1, i+1)})
			}
			add(name+"_best", variable{kind: code, values: codesOf(q), missing: true, part: fmt.Sprintf("screen %d, most", screen+1)})
			add(name+"_worst", variable{kind: code, values: codesOf(q), missing: true, part: fmt.Sprintf("screen %d, least", screen+1)})
		}
	}
	for _, o := range q.Options {
		if o.Custom && g.other < 0 {
			g.other = add("_other", variable{kind: text, width: middleText, part: "own words"})
		}
	}
	g.count = len(d.variables) - g.first
	d.groups[place{q.ID, concept.ID}] = g
}

// codesOf returns the options of a question as values: the first has the code 1.
func codesOf(q *reporting.Question) []value {
	values := make([]value, len(q.Options))
	for i, o := range q.Options {
		values[i] = value{i + 1, o.ID, o.Label}
	}
	return values
}

// screensOf returns the number of screens of a MaxDiff with all its options.
func screensOf(f *facts) int {
	if f.options < 2 || f.size < 2 {
		return 0
	}
	return len(maxdiff.Design(f.options, f.size, 0))
}
