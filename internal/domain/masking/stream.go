package masking

import (
	"regexp"
	"strings"
)

// beginning matches what may be the beginning of a placeholder.
var beginning = regexp.MustCompile(`^\[[A-Za-z]{0,7}(?: [0-9]{0,5})?$`)

// Stream restores a text that arrives in chunks, which may be cut anywhere. Write passes on what is certain; Close passes on the
// rest.
type Stream struct {
	Masker *Masker
	JSON   bool // the text is a JSON document
	To     func(text string)

	held string
}

// Write takes the next chunk.
func (s *Stream) Write(chunk string) {
	s.held += chunk
	end := len(s.held)
	if at := strings.LastIndexByte(s.held, '['); at >= 0 && beginning.MatchString(s.held[at:]) {
		end = at
	}
	certain := s.held[:end]
	s.held = s.held[end:]
	s.pass(certain)
}

// Close passes on what is held back.
func (s *Stream) Close() {
	s.pass(s.held)
	s.held = ""
}

func (s *Stream) pass(text string) {
	if text == "" {
		return
	}
	if s.JSON {
		s.To(s.Masker.RestoreJSON(text))
		return
	}
	s.To(s.Masker.Restore(text))
}
