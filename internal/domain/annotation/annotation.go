package annotation

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
)

// Limits of what people may add.
const (
	MaxNote        = 4000 // characters
	MaxName        = 60   // characters of a tag
	MaxTags        = 20   // of an annotation
	MaxVocabulary  = 200  // tags of an organization, and of a study
	MaxOfResponse  = 500  // annotations
	NoRow          = -1   // of an annotation that is about the response as such
	maxHighlighted = 20_000
)

// Errors of annotations and tags.
var (
	ErrNotFound  = errors.New("there is no such annotation")
	ErrNoTag     = errors.New("there is no such tag")
	ErrNameTaken = errors.New("another tag has this name")
	ErrBadName   = errors.New("a tag needs a name of visible characters")
	ErrEmpty     = errors.New("an annotation needs words, a note or a tag")
	ErrMoved     = errors.New("the words do not stand there")
	ErrTooMany   = errors.New("there are too many already")
)

// Annotation is a note about a response, or about words in it.
type Annotation struct {
	ID         string
	StudyID    string
	ResponseID string
	Number     int    // of the response
	Row        int    // of the transcript; NoRow for the response as such
	Start, End int    // of the words in the participant's text of the row, in bytes
	Words      string // as they stood there when they were highlighted
	Lost       bool   // the words do not stand in the row any more, since it was corrected
	Begins     time.Duration
	Ends       time.Duration // 0: it is not known when the words were said
	Note       string
	Tags       []string // ids
	UserID     string
	UserName   string // or mail address
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// IsHighlight reports whether the annotation marks words.
func (a *Annotation) IsHighlight() bool { return a.Row != NoRow }

// Check returns ErrEmpty for an annotation that says nothing. A highlight says what it marks.
func (a *Annotation) Check() error {
	if !a.IsHighlight() && a.Note == "" && len(a.Tags) == 0 {
		return ErrEmpty
	}
	return nil
}

// Mark sets the words of a highlight: those from one UTF-16 code unit of the participant's text of a row to another. ErrMoved if they are not
// the words that were meant, lie outside the text, cut a character in two, or are nothing but spaces.
func (a *Annotation) Mark(row int, text string, from, to int, words string) error {
	start, startOK := evidence.ByteOffset(text, from)
	end, endOK := evidence.ByteOffset(text, to)
	if !startOK || !endOK || start >= end || text[start:end] != words || strings.TrimSpace(words) == "" || utf8.RuneCountInString(words) > maxHighlighted {
		return ErrMoved
	}
	a.Row, a.Start, a.End, a.Words, a.Lost = row, start, end, words, false
	return nil
}

// Follow finds the words of a highlight in the text that its row has now, nearest to where they stood, and marks them as lost if they are not
// there. It reports whether anything changed.
func (a *Annotation) Follow(text string) (changed bool) {
	best := -1
	for at := 0; ; {
		next := strings.Index(text[at:], a.Words)
		if next < 0 || a.Words == "" {
			break
		}
		if found := at + next; best < 0 || distance(found, a.Start) < distance(best, a.Start) {
			best = found
		}
		at += next + 1
	}
	was := *a
	a.Lost = best < 0
	if best >= 0 {
		a.Start, a.End = best, best+len(a.Words)
	}
	return was.Lost != a.Lost || was.Start != a.Start || was.End != a.End
}

func distance(a, b int) int { return max(a-b, b-a) }

// Colours are the names of the colours of tags. Each has a light and a dark form in the pages.
var Colours = []string{"teal", "violet", "brown", "green", "blue", "grey"}

// Tag is a word of a vocabulary.
type Tag struct {
	ID        string
	OrgID     string
	StudyID   string // empty: of the whole organization
	Name      string
	Colour    string // one of Colours
	Uses      int    // annotations of the study that was asked about
	CreatedAt time.Time
}

// CleanName returns the name of a tag with single spaces and without invisible characters; ErrBadName if nothing is left, or too much.
func CleanName(name string) (string, error) {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsGraphic(r) || r == '\u200c' || r == '\u200d': // joiners, which some scripts need for spelling
			return r
		}
		return -1
	}, strings.ToValidUTF8(name, ""))
	name = strings.TrimPrefix(strings.Join(strings.Fields(name), " "), "#")
	if name = strings.TrimSpace(name); name == "" || utf8.RuneCountInString(name) > MaxName || !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsMark(r) }) {
		return "", ErrBadName
	}
	return name, nil
}

// Key returns the name of a tag as names are compared: without a number sign, and without regard to case and typography.
func Key(name string) string { return strings.TrimSpace(evidence.Fold(strings.TrimPrefix(name, "#"))) }

// Ids returns the ids of tags, each once, in their order.
func Ids(all []string) []string {
	all = slices.Clone(all)
	slices.Sort(all)
	return slices.Compact(all)
}
