package translation

import (
	"path"
	"strconv"
	"strings"
	"unicode"

	"verbatim/internal/domain/guide"
)

// Kind is the role of a segment in the guide.
type Kind string

// The kinds of segments.
const (
	Title              Kind = "title"
	WelcomeTitle       Kind = "welcome title"
	WelcomeMessage     Kind = "welcome message"
	ClosingMessage     Kind = "closing message"
	SensitiveMessage   Kind = "message to a participant in distress"
	QuotaMessage       Kind = "message to a participant of a full quota"
	ConsentText        Kind = "consent"
	Question           Kind = "question"
	Statement          Kind = "statement"
	Option             Kind = "option"
	Row                Kind = "row"
	Column             Kind = "column"
	Metric             Kind = "metric"
	Button             Kind = "button"
	ConceptTitle       Kind = "concept title"
	ConceptDescription Kind = "concept description"
	MediaName          Kind = "media name" // read by a screen reader for a picture or a film
)

// Segment is one text of a guide that participants see.
type Segment struct {
	Key    string // its place by ids, such as item/why/option/o1; unique in its guide and the same in every revision
	Kind   Kind
	Source string // never blank
	Of     string // the text that it belongs to: an option's question, a description's title; empty if it belongs to none
	Group  string // segments of one group must have different texts: the options of an item, its rows; empty: in no group
	Part   int    // 0: the study's own; 1 and up: that of a block
}

// Segments returns the texts of a guide that participants see, in order. Ids, conditions, instructions, nicknames, the goal
// and the background are not included, nor are options carried forward (they belong to the item that defines them) and
// custom options (they belong to the participant).
func Segments(g *guide.Guide) (all []Segment) {
	walk(g, func(s Segment, _ *string) { all = append(all, s) })
	return all
}

// walk visits every segment of a guide, with the field that holds its text.
func walk(g *guide.Guide, each func(s Segment, field *string)) {
	visit := func(s Segment, field *string) {
		if strings.TrimSpace(s.Source) != "" {
			each(s, field)
		}
	}
	visit(Segment{Key: "study/title", Kind: Title, Source: g.ParticipantTitle()}, &g.ExternalTitle)
	visit(Segment{Key: "study/welcomeTitle", Kind: WelcomeTitle, Source: g.Welcome.Title}, &g.Welcome.Title)
	visit(Segment{Key: "study/welcomeMessage", Kind: WelcomeMessage, Source: g.Welcome.Message}, &g.Welcome.Message)
	for b := range g.Blocks {
		w := walker{visit: visit, part: b + 1}
		for c := range g.Blocks[b].Concepts() {
			w.concept(&g.Blocks[b].Sampling.Concepts[c])
		}
		for i := range g.Blocks[b].Items {
			w.item(&g.Blocks[b].Items[i])
		}
	}
	consent := &g.Config.Consent
	visit(Segment{Key: "study/consent/text", Kind: ConsentText, Source: consent.Text}, &consent.Text)
	visit(Segment{Key: "study/consent/contact", Kind: ConsentText, Source: consent.Contact}, &consent.Contact)
	visit(Segment{Key: "study/consent/retention", Kind: ConsentText, Source: consent.Retention}, &consent.Retention)
	topics := &g.Config.SensitiveTopics
	visit(Segment{Key: "study/sensitiveTopics", Kind: SensitiveMessage, Source: topics.Message}, &topics.Message)
	for i := range g.Config.Quotas {
		walkQuota(&g.Config.Quotas[i], visit)
	}
	visit(Segment{Key: "study/closingMessage", Kind: ClosingMessage, Source: g.ClosingMessage}, &g.ClosingMessage)
}

// walkQuota visits what participants read whose cell is full.
func walkQuota(q *guide.Quota, visit func(Segment, *string)) {
	base := "quota/" + escape(q.ID)
	visit(Segment{Key: base + "/fullText", Kind: QuotaMessage, Source: q.FullText}, &q.FullText)
	for i := range q.Limits {
		l := &q.Limits[i]
		visit(Segment{Key: base + "/cell/" + escape(strings.Join(l.Groups, guide.CellSeparator)) + "/fullText", Kind: QuotaMessage, Source: l.FullText}, &l.FullText)
	}
}

// walker visits the segments of one block.
type walker struct {
	visit func(Segment, *string)
	part  int
}

func (w walker) item(it *guide.Item) {
	base, of := "item/"+escape(it.ID), it.Text
	kind, each := Question, Option
	switch it.Type {
	case guide.Statement:
		kind = Statement
	case guide.Matrix:
		each = Column
	}
	w.visit(Segment{Key: base + "/text", Kind: kind, Source: it.Text, Part: w.part}, &it.Text)
	w.visit(Segment{Key: base + "/metric", Kind: Metric, Source: it.Metric, Of: of, Part: w.part}, &it.Metric)
	for i := range it.Rows {
		r := &it.Rows[i]
		w.visit(Segment{Key: base + "/row/" + escape(r.ID), Kind: Row, Source: r.Text, Of: of, Group: base + "/row", Part: w.part}, &r.Text)
	}
	for i := range it.Options {
		o := &it.Options[i]
		w.visit(Segment{Key: base + "/option/" + escape(o.ID), Kind: each, Source: o.Text, Of: of, Group: base + "/option", Part: w.part}, &o.Text)
	}
	w.visit(Segment{Key: base + "/continueButtonText", Kind: Button, Source: it.ContinueButtonText, Of: of, Part: w.part}, &it.ContinueButtonText)
	w.media(base, of, it.Media)
}

func (w walker) concept(c *guide.Concept) {
	base, of := "concept/"+escape(c.ID), c.Title
	w.visit(Segment{Key: base + "/title", Kind: ConceptTitle, Source: c.Title, Part: w.part}, &c.Title)
	w.visit(Segment{Key: base + "/description", Kind: ConceptDescription, Source: c.Description, Of: of, Part: w.part}, &c.Description)
	w.media(base, of, c.Media)
}

// media visits names that are meaningful; file names are left as they are.
func (w walker) media(base, of string, all []guide.Media) {
	for i := range all {
		m := &all[i]
		if name := strings.TrimSpace(m.Name); strings.Contains(name, " ") || path.Ext(name) == "" {
			w.visit(Segment{Key: base + "/media/" + strconv.Itoa(i), Kind: MediaName, Source: m.Name, Of: of, Part: w.part}, &m.Name)
		}
	}
}

// escape escapes slashes in an id, so that they are not read as separators of the key, as RFC 6901 does.
func escape(id string) string {
	return strings.ReplaceAll(strings.ReplaceAll(id, "~", "~0"), "/", "~1")
}

// hasNoLetters reports whether a text is the same in every language because it has no letters.
func hasNoLetters(text string) bool { return !strings.ContainsFunc(text, unicode.IsLetter) }
