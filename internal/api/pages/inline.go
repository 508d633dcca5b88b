package pages

import (
	"regexp"
	"strings"
)

// span is a part of an author's text: plain, strong, emphasized, or a link. Texts are written to pages as elements; nothing in
// them is HTML.
type span struct {
	Kind    string // text, strong, em or link
	Text    string
	Address string // of a link; always https
}

// inlineMark matches **strong**, *emphasis* and [text](https://…). inline in web/shared/inline.tsx does the same for the app, and
// web/shared/inline_examples.json holds the two to each other.
var inlineMark = regexp.MustCompile(`\*\*([^ \t*]|[^ \t*][^*]*[^ \t*])\*\*|\*([^ \t*]|[^ \t*][^*]*[^ \t*])\*|\[([^\[\]]*[^\[\] \t][^\[\]]*)\]\((https://[^\s()<>"]+)\)`)

// inline divides a paragraph into its spans.
func inline(text string) (spans []span) {
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			spans = append(spans, span{Kind: "text", Text: plain.String()})
			plain.Reset()
		}
	}
	before := byte(' ') // the byte in front of the rest
	for text != "" {
		at := inlineMark.FindStringSubmatchIndex(text)
		if at == nil {
			plain.WriteString(text)
			break
		}
		from, to := at[0], at[1]
		if from > 0 {
			before = text[from-1]
		}
		group := func(n int) string { return text[at[2*n]:at[2*n+1]] }
		if at[2] < 0 && at[4] >= 0 && (isWordByte(before) || to < len(text) && isWordByte(text[to])) { // such as 5*3*2
			plain.WriteString(text[:from+1])
			before, text = text[from], text[from+1:]
			continue
		}
		plain.WriteString(text[:from])
		flush()
		switch {
		case at[2] >= 0:
			spans = append(spans, span{Kind: "strong", Text: group(1)})
		case at[4] >= 0:
			spans = append(spans, span{Kind: "em", Text: group(2)})
		default:
			spans = append(spans, span{Kind: "link", Text: group(3), Address: group(4)})
		}
		before, text = text[to-1], text[to:]
	}
	flush()
	return spans
}

// isWordByte reports whether b is a letter or digit of ASCII.
func isWordByte(b byte) bool {
	return '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}

// plainText returns a paragraph without its marks.
func plainText(text string) (plain string) {
	for _, s := range inline(text) {
		plain += s.Text
	}
	return plain
}
