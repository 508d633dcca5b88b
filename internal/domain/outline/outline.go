package outline

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/guide"
)

// maxHeading is the longest heading without a mark, in characters: longer lines are questions.
const maxHeading = 60

var (
	heading = regexp.MustCompile(`^(#{1,6})\s+(.+)$`)
	bullet  = regexp.MustCompile(`^\s*[-*•–]\s+(?:(\[[ xX]?\])\s*)?(.+)$`)
	number  = regexp.MustCompile(`^(?:[A-Za-z]?\d{1,3}[.):])\s+`)
)

// Guide returns the guide of an outline; newID makes the ids. It may be incomplete.
//
// A line that begins with # begins a block, and so does a short line without a mark at its end that stands alone. The title is a heading
// of one # where others have more, else such a line at the top. A line that begins with a bullet is an option of the question above it; a
// box between them, as in "- [ ] Tea", allows several answers. Any other line is a question; a number before it is left out.
func Guide(text string, newID func() string) *guide.Guide {
	r := reader{newID: newID, guide: &guide.Guide{}}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	r.deep = hasDeeper(lines)
	for i, line := range lines {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		switch found := heading.FindStringSubmatch(strings.TrimSpace(line)); {
		case strings.TrimSpace(line) == "":
		case found != nil:
			r.heading(len(found[1]), strings.TrimSpace(found[2]))
		case bullet.MatchString(line) && r.question != nil:
			parts := bullet.FindStringSubmatch(line)
			r.option(strings.TrimSpace(parts[2]), parts[1] != "")
		case standsAlone(lines, i):
			r.heading(0, strings.TrimSpace(line))
		default:
			r.ask(strings.TrimSpace(line))
		}
	}
	r.complete()
	return r.guide
}

// hasDeeper reports whether there are headings of more than one #.
func hasDeeper(lines []string) bool {
	for _, line := range lines {
		if found := heading.FindStringSubmatch(strings.TrimSpace(line)); found != nil && len(found[1]) > 1 {
			return true
		}
	}
	return false
}

// standsAlone reports whether a line is a heading without a mark: short, between empty lines, and not a sentence.
func standsAlone(lines []string, i int) bool {
	line := strings.TrimSpace(lines[i])
	last, _ := utf8.DecodeLastRuneInString(line)
	if unicode.IsPunct(last) || utf8.RuneCountInString(line) > maxHeading || number.MatchString(line) || bullet.MatchString(line) {
		return false
	}
	blank := func(i int) bool { return i < 0 || i >= len(lines) || strings.TrimSpace(lines[i]) == "" }
	if !blank(i-1) || !blank(i+1) {
		return false
	}
	for next := i + 1; next < len(lines); next++ {
		if !blank(next) {
			return !bullet.MatchString(lines[next])
		}
	}
	return false
}

type reader struct {
	newID    func() string
	guide    *guide.Guide
	deep     bool // there are headings of more than one #
	question *guide.Item
}

func (r *reader) heading(depth int, text string) {
	isTitle := depth == 1 && r.deep || depth == 0
	if isTitle && r.guide.Title == "" && len(r.guide.Blocks) == 0 {
		r.guide.Title = text
		return
	}
	r.guide.Blocks = append(r.guide.Blocks, guide.Block{ID: r.newID(), Type: guide.BlockFlat, Title: text})
	r.question = nil
}

func (r *reader) ask(line string) {
	if found := bullet.FindStringSubmatch(line); found != nil {
		line = found[2]
	}
	if len(r.guide.Blocks) == 0 {
		r.guide.Blocks = append(r.guide.Blocks, guide.Block{ID: r.newID(), Type: guide.BlockFlat})
	}
	block := &r.guide.Blocks[len(r.guide.Blocks)-1]
	block.Items = append(block.Items, guide.Item{ID: r.newID(), Type: guide.OpenEnded, Text: number.ReplaceAllString(line, "")})
	r.question = &block.Items[len(block.Items)-1]
}

func (r *reader) option(text string, several bool) {
	q := r.question
	q.Type = guide.MultipleChoice
	q.MultiSelect = q.MultiSelect || several
	q.Options = append(q.Options, guide.Option{ID: r.newID(), Text: text})
}

// complete gives blocks without questions an empty one, and a guide without blocks a block.
func (r *reader) complete() {
	if len(r.guide.Blocks) == 0 {
		r.guide.Blocks = []guide.Block{{ID: r.newID(), Type: guide.BlockFlat}}
	}
	for b := range r.guide.Blocks {
		if block := &r.guide.Blocks[b]; len(block.Items) == 0 {
			block.Items = []guide.Item{{ID: r.newID(), Type: guide.OpenEnded}}
		}
	}
}
