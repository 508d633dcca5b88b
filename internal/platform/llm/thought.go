package llm

import "strings"

// thought removes from an answer what open models write before it, between these marks, when they reason aloud.
type thought struct {
	held     string
	inside   bool
	over     bool
	trimming bool // what comes next is the white space between thoughts and answer
}

const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
	blanks     = " \r\n\t"
)

// filter returns what part of the text so far belongs to the answer.
func (t *thought) filter(text string) string {
	if t.over {
		if t.trimming {
			text = strings.TrimLeft(text, blanks)
			t.trimming = text == ""
		}
		return text
	}
	t.held += text
	if !t.inside {
		begin := strings.TrimLeft(t.held, blanks)
		if len(begin) < len(thinkOpen) && strings.HasPrefix(thinkOpen, begin) {
			return ""
		}
		if t.inside = strings.HasPrefix(begin, thinkOpen); !t.inside {
			t.over = true
			return t.held
		}
	}
	if _, rest, found := strings.Cut(t.held, thinkClose); found {
		t.over, t.trimming = true, true
		return t.filter(rest)
	}
	t.held = thinkOpen + t.held[max(len(t.held)-len(thinkClose), 0):] // the closing mark may be split in two
	return ""
}

// rest returns what was held back when the answer ends: the beginning of what might have become a mark.
func (t *thought) rest() string {
	if t.over || t.inside {
		return ""
	}
	t.over = true
	return t.held
}
