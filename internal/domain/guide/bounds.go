package guide

import "unicode/utf8"

// The bounds of a guide, about ten times what large studies need. They limit what is accepted, so that nobody's guide makes
// a page, a replay or a compilation so slow that others have to wait for it. A guide that was stored before the bounds
// existed is read and run as it is; see Options.Stored. openapi/v1.yaml states the bounds, too.
const (
	// A long questionnaire has a dozen blocks and 200 questions.
	MaxBlocks     = 200
	MaxBlockItems = 1000
	MaxItems      = 2000
	// The longest lists to choose from are those of countries, about 200. A ranking may carry that many forward. Respondents
	// compare up to 30 options by MaxDiff, and each option appears on three screens.
	MaxOptions        = 1000
	MaxMaxDiffOptions = 300
	// MaxOwnOptions bounds the options written by a participant among all that are carried forward to one item.
	MaxOwnOptions = 100
	// A matrix of 20 rows and 10 columns is large. A page has a button for each cell.
	MaxRows    = 200
	MaxColumns = 100
	MaxCells   = 2500
	// Participants see up to ten concepts, drawn from some dozens.
	MaxConcepts = 200
	// All that exist, each once.
	MaxLanguages = 121
	MaxPlatforms = 3
	// MaxMedia is per item or concept: a storyboard has five pictures.
	MaxMedia = 50
	// A condition joins about three criteria, and each names a few options.
	MaxCriteria = 50
	MaxChoices  = MaxOptions
	// MaxChain bounds how many items may carry the same options forward from one to the next: choose, narrow down, rank.
	MaxChain = 20

	// MaxSteps bounds the questions that one participant may be asked, follow-ups aside: an item counts once for each
	// concept that is shown, and a MaxDiff once for each screen. An interview of an hour has 100.
	MaxSteps = 5000
	// MaxAllOptions bounds the options and rows of all items; carried ones count wherever they are carried to, and all count
	// once for each concept that is shown. 200 questions of 25 options have 5,000. It bounds the size of one interview's
	// answers.
	MaxAllOptions = 50_000
	// MaxAllChoices bounds the choices of all criteria: they are evaluated again at every answer.
	MaxAllChoices = 20_000
	// MaxVisited bounds the characters of the questions and options that one participant may see, see MaxSteps and MaxShown:
	// what is shown for several concepts, or carried forward, counts each time. Responses repeat them. 200 questions of 25
	// options with 50 characters each have 250,000.
	MaxVisited = 2_000_000
	// MaxListed bounds the characters of the concepts, their media's addresses included, once for each item of their block:
	// the list of a study's questions repeats them with every question. 20 questions about 10 concepts of 2,000 characters
	// have 400,000.
	MaxListed = 5_000_000
	// MaxShown bounds the characters that one step shows: the texts and ids of its options; of a matrix the texts of its
	// rows, and the columns' texts and ids once for each row, as the page repeats them. It bounds the size of a page. 200
	// countries have 10,000.
	MaxShown = 250_000
)

// The bounds of texts, in characters.
const (
	MaxID         = 255    // an externalId: a UUID has 36, and a URN is not longer
	MaxTitle      = 500    // titles and labels; a headline has 50
	MaxOptionText = 2000   // an option, a row or a column; a full sentence has 200
	MaxText       = 10_000 // of a question, a statement or an instruction; a page of a book has 2,000
	MaxLongText   = 20_000 // introductory texts: welcome, closing, description of a concept, goal of the study
	MaxBackground = 50_000 // what moderators and analysts read about the study; ten pages
	MaxButtonText = 200
	MaxURL        = 2000 // of an address: what all browsers and proxies accept
	MaxParameter  = 2000 // name or value of a link's parameter: longer ones are not kept
)

const (
	maxViolations   = 1000 // how many broken rules are listed
	maxNamed        = 20   // how many unknown choices of one criterion are listed
	screensAnOption = 3    // of a MaxDiff: on how many screens each option appears, if there is more than one screen
)

// bounds checks what no single key can show to be too large.
func bounds(r *rules) {
	steps, options, choices, visited, listed := 0, 0, 0, 0, 0
	shown := make([]int, len(r.items)) // by item, without the options that it carries
	for b := range r.guide.Blocks {
		block := &r.guide.Blocks[b]
		concepts := block.Concepts()
		for c := range concepts {
			choices += choicesOf(concepts[c].Conditional)
			listed += len(block.Items) * concepts[c].size()
		}
	}
	for i := range r.items {
		e := &r.items[i]
		times := e.block.shownConcepts()
		steps += times * e.steps()
		options += times * (len(e.root.Options) + e.own + len(e.Rows))
		choices += choicesOf(e.Conditional)
		shown[i] = e.shown()
		visited += times * (utf8.RuneCountInString(e.Text) + shown[e.root.place.Number-1])
		e.checkSize(r, shown[i])
	}
	const root = "studyGuide"
	if len(r.items) > MaxItems {
		r.report(root, "at most %d items are allowed in all blocks together, and there are %d", MaxItems, len(r.items))
	}
	if steps > MaxSteps {
		r.report(root, "one participant may meet at most %d questions, and would meet %d: each item counts once for each concept "+
			"that is shown, and a max_diff once for each screen", MaxSteps, steps)
	}
	if options > MaxAllOptions {
		r.report(root, "at most %d options and rows are allowed in all items together, and there are %d: carried ones count "+
			"wherever they are carried to, and all count once for each concept that is shown", MaxAllOptions, options)
	}
	if visited > MaxVisited {
		r.report(root, "one participant may meet at most %d characters of questions and options, and would meet %d: what is carried "+
			"forward or shown for several concepts counts each time", MaxVisited, visited)
	}
	if listed > MaxListed {
		r.report(root, "the concepts may have at most %d characters together, each counted once for each item of its block, and have %d",
			MaxListed, listed)
	}
	if choices > MaxAllChoices {
		r.report(root, "at most %d choices are allowed in all criteria together, and there are %d", MaxAllChoices, choices)
	}
}

// checkSize reports an item that is too large for one step.
func (e *entry) checkSize(r *rules, shown int) {
	if e.depth > MaxChain {
		r.report(e.path()+".carryForwardFrom", "options may be carried forward at most %d times, and this is time %d", MaxChain, e.depth)
	}
	if e.source != nil && e.own > MaxOwnOptions {
		r.report(e.path()+".carryForwardFrom", "at most %d options of a participant's own may be carried forward, and here up to %d may be: "+
			"each custom option of the chain counts once for each concept that it is asked about", MaxOwnOptions, e.own)
	}
	if e.Type == Matrix && len(e.Rows)*len(e.Options) > MaxCells {
		r.report(e.path()+".rows", "a matrix has at most %d cells, and %d rows with %d columns have %d", MaxCells,
			len(e.Rows), len(e.Options), len(e.Rows)*len(e.Options))
	}
	if shown > MaxShown {
		what := "the texts and ids of the options have"
		if e.Type == Matrix {
			what = "the texts of the rows, and the texts and ids of the columns once for each row, have"
		}
		r.report(e.path()+".options", "a step shows at most %d characters, and %s %d", MaxShown, what, shown)
	}
}

// shown returns how many characters a step on the item shows, see MaxShown. Carried options count at the item that defines
// them.
func (e *entry) shown() int {
	count := 0
	for o := range e.Options {
		count += utf8.RuneCountInString(e.Options[o].Text) + utf8.RuneCountInString(e.Options[o].ID)
	}
	if e.Type != Matrix {
		return count
	}
	count *= len(e.Rows)
	for i := range e.Rows {
		count += utf8.RuneCountInString(e.Rows[i].Text)
	}
	return count
}

// size returns how many characters a concept has: ids, texts and addresses.
func (c *Concept) size() int {
	texts := []string{c.ID, c.Title, c.Description}
	for i := range c.Media {
		texts = append(texts, c.Media[i].Name, c.Media[i].URL)
	}
	if c.Embed != nil {
		texts = append(texts, c.Embed.URL, c.Embed.ProxyURL)
	}
	count := 0
	for _, text := range texts {
		count += utf8.RuneCountInString(text)
	}
	return count
}

// steps returns how many steps the item takes, follow-ups aside.
func (e *entry) steps() int {
	if size := e.ScreenSize(); e.Type == MaxDiff && size > 0 && size < len(e.Options) {
		return (screensAnOption*len(e.Options) + size - 1) / size
	}
	return 1
}

// shownConcepts returns how often a block is passed: once for each concept that a participant may see.
func (b *Block) shownConcepts() int {
	if b.Sampling == nil {
		return 1
	}
	if count := b.Sampling.SubsampleCount; count > 0 {
		return min(count, len(b.Sampling.Concepts))
	}
	return len(b.Sampling.Concepts)
}

func choicesOf(c *Conditional) int {
	count := 0
	if c != nil {
		for i := range c.Criteria {
			count += len(c.Criteria[i].Choices)
		}
	}
	return count
}
