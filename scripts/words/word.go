package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// word is one row of words.txt.
type word struct {
	text    string
	parts   []string // of the text, in lower case
	scope   string
	instead string
}

// exception is one row of exceptions.txt.
type exception struct {
	line int // in exceptions.txt
	word string
	path string // a file; a folder where it ends in a slash; "*" for all
	text string // what the name or the line of the comment contains; "*" for all
}

var scopes = []string{"any", "name", "first", "last", "alone", "opening"}

// staleComment stands for a word in the findings of comments that document another name, and in their exceptions.
const staleComment = "comment of another name"

func parseWords(list string) ([]*word, error) {
	var all []*word
	for number, fields := range rows(list) {
		if len(fields) != 3 || !slices.Contains(scopes, fields[1]) {
			return nil, fmt.Errorf("words.txt:%d: want word | any, name, first, last, alone or opening | use instead", number)
		}
		all = append(all, &word{fields[0], split(fields[0]), fields[1], fields[2]})
	}
	return all, nil
}

func parseExceptions(list string, words []*word) ([]exception, error) {
	var all []exception
	for number, fields := range rows(list) {
		if len(fields) != 4 || slices.Contains(fields, "") {
			return nil, fmt.Errorf("exceptions.txt:%d: want word | file, folder/ or * | text or * | reason", number)
		}
		if fields[0] != staleComment && !slices.ContainsFunc(words, func(w *word) bool { return w.text == fields[0] }) {
			return nil, fmt.Errorf("exceptions.txt:%d: words.txt does not list %q", number, fields[0])
		}
		all = append(all, exception{number, fields[0], fields[1], fields[2]})
	}
	return all, nil
}

// rows yields the number and the fields of each line that is neither empty nor a comment.
func rows(list string) func(yield func(int, []string) bool) {
	return func(yield func(int, []string) bool) {
		number := 0
		for line := range strings.Lines(list) {
			number++
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			fields := strings.Split(line, "|")
			for i := range fields {
				fields[i] = strings.TrimSpace(fields[i])
			}
			if !yield(number, fields) {
				return
			}
		}
	}
}

func (e exception) covers(f finding) bool {
	return e.word == f.word.text && (e.path == "*" || e.path == f.file || strings.HasSuffix(e.path, "/") && strings.HasPrefix(f.file+"/", e.path)) &&
		(e.text == "*" || strings.Contains(f.text, e.text))
}

// except returns the findings that no exception covers, and the exceptions that cover none.
func except(all []finding, exceptions []exception) (left []finding, unused []exception) {
	used := make([]bool, len(exceptions))
	for _, f := range all {
		covered := false
		for i, e := range exceptions {
			if e.covers(f) {
				used[i], covered = true, true
			}
		}
		if !covered {
			left = append(left, f)
		}
	}
	for i, e := range exceptions {
		if !used[i] {
			unused = append(unused, e)
		}
	}
	return left, unused
}

// occurs reports whether a name or a line of a comment has the word.
func (w *word) occurs(t text) bool {
	if w.scope == "opening" { // a test may well give nodes something
		return t.of != "" && !strings.HasPrefix(t.of, "Test") && w.opens(t.content)
	}
	if w.scope != "any" && !t.name {
		return false
	}
	parts := split(t.content)
	switch after := len(parts) - len(w.parts); {
	case after < 0 || w.scope == "alone" && after != 0 || w.scope == "last" && after == 0:
		return false
	case w.scope == "first":
		parts = parts[:len(w.parts)]
	case w.scope == "last":
		parts = parts[after:]
	}
	for i := range len(parts) - len(w.parts) + 1 {
		if slices.EqualFunc(parts[i:i+len(w.parts)], w.parts, same) {
			return true
		}
	}
	return false
}

// opens reports whether the word follows the first one of a comment.
func (w *word) opens(comment string) bool {
	_, rest, _ := strings.Cut(comment, " ")
	parts := split(rest)
	return len(parts) >= len(w.parts) && slices.Equal(parts[:len(w.parts)], w.parts)
}

// subject matches a comment that begins as one does that names what it documents.
var subject = regexp.MustCompile(`^([A-Za-z]\w*)(?::| (?:are|were|[a-z]+s)\b)`)

// stale reports whether a comment begins with another name than the one it documents: in camelCase, or capitalized as that name is. The
// comments of tests may begin as they like.
func (t text) stale() bool {
	if t.of == "" || strings.HasPrefix(t.of, "Test") || strings.HasPrefix(t.of, "Fuzz") || strings.HasPrefix(t.of, "Benchmark") {
		return false
	}
	m := subject.FindStringSubmatch(t.content)
	return m != nil && m[1] != t.of && (len(split(m[1])) > 1 || unicode.IsUpper([]rune(m[1])[0]) == unicode.IsUpper([]rune(t.of)[0]) && !slices.Contains(pronouns, m[1]))
}

// pronouns begin sentences about a declaration that need not name it.
var pronouns = []string{"All", "Both", "Each", "Here", "It", "Its", "No", "Nobody", "Nothing", "One", "That", "The", "There", "These", "They", "This", "What", "Which", "Who"}

// same reports whether a part is a word or its plural.
func same(part, word string) bool {
	stem, y := strings.CutSuffix(word, "y")
	return part == word || part == word+"s" || part == word+"es" || y && part == stem+"ies"
}

// split returns the words of a text in lower case: runs of letters, divided where a capital begins a word (camelCase, HTTPServer).
func split(s string) []string {
	var parts []string
	runes := []rune(s)
	begin := -1 // of the word that is being read
	end := func(i int) {
		if begin >= 0 {
			parts = append(parts, strings.ToLower(string(runes[begin:i])))
		}
		begin = -1
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			end(i)
			continue
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end(i)
		}
		if begin < 0 {
			begin = i
		}
	}
	end(len(runes))
	return parts
}
