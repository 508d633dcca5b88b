package guardrail

import (
	"regexp"
	"strings"
	"sync"
)

// Requests that no interview needs are distinguished from permitted subjects by who is to do what: "type your password" and "what
// is your password" ask for a secret, "what makes passwords hard to remember" speaks of secrets. For each language the lists
// have, in folded words (see fold), what begins an order, the verbs for giving something, the words that ask for it, and the
// secrets; and complete patterns for what sends the participant elsewhere.

// elicitWords holds the lists of one language. Each is an alternative of a regular expression. Tabs and line breaks are for
// readability and are removed; spaces count.
type elicitWords struct {
	start   string   // what precedes an order
	give    string   // to type, to tell
	frame   string   // "what is", "may I have", with what may stand between it and the secret
	secret  string   // what is secret: passwords, card numbers, names, addresses
	topic   string   // words between that make it a question about secrets: how, why, about
	after   string   // words after it that change its meaning: "password manager"
	private []string // complete patterns that ask for private data
	away    []string // complete patterns that send somebody elsewhere, or have something paid, downloaded or scanned
	dense   bool     // a language without spaces
}

// elicitPatterns is elicitWords, compiled.
type elicitPatterns struct {
	order, framed *regexp.Regexp
	topic, after  *regexp.Regexp // nil: none
	private, away []*regexp.Regexp
}

const (
	sameSentence = `[^.?!;؟。？！]{0,48}?`   // in one sentence
	wordEnd      = `(?:$|[^\p{L}\p{Nd}])` // the end of a word
	wordStart    = `(?:^|[^\p{L}\p{Nd}])` // the beginning of a word
)

func (a *elicitWords) compile() *elicitPatterns {
	ends, begins := wordEnd, wordStart
	if a.dense {
		ends, begins = "", ""
	}
	fill := strings.NewReplacer("{start}", `(?:(?:^|[.,;:!?¿¡。、，：；]) ?|`+begins+`(?:`+a.start+`) ?)`, "{gap}", sameSentence, "{secret}", `(?:`+a.secret+`)`, "{give}", `(?:`+a.give+`)`)
	lines := strings.NewReplacer("\n", "", "\t", "")
	shape := func(text string) *regexp.Regexp { return regexp.MustCompile(lines.Replace(fill.Replace(text))) }
	list := func(texts []string) (all []*regexp.Regexp) {
		for _, text := range texts {
			all = append(all, shape(text))
		}
		return all
	}
	e := &elicitPatterns{private: list(a.private), away: list(a.away)}
	apart := `[^\p{L}\p{Nd}](?:{gap}[^\p{L}\p{Nd}])?`
	if a.dense {
		apart = `{gap}`
	}
	e.order = shape(`{start}{give}` + apart + `{secret}` + ends)
	e.framed = shape(begins + `(?:` + a.frame + `)` + begins + `{secret}` + ends)
	if a.topic != "" {
		e.topic = shape(begins + `(?:` + a.topic + `)` + ends)
	}
	if a.after != "" {
		e.after = shape(`^ ?(?:` + a.after + `)`)
	}
	return e
}

var elicitByLanguage = func() map[string]func() *elicitPatterns {
	all := map[string]func() *elicitPatterns{}
	for code, lists := range elicitLists {
		all[code] = sync.OnceValue(lists.compile)
	}
	return all
}()

// secretIn finds words that ask for a secret.
func (e *elicitPatterns) secretIn(folded string) string {
	for _, shape := range []*regexp.Regexp{e.order, e.framed} {
		for _, at := range shape.FindAllStringIndex(folded, -1) {
			found, rest := folded[at[0]:at[1]], folded[at[1]:]
			if e.topic != nil && e.topic.MatchString(found) || e.after != nil && e.after.MatchString(rest) {
				continue
			}
			return found
		}
	}
	return first(e.private, folded)
}

func first(shapes []*regexp.Regexp, folded string) string {
	for _, shape := range shapes {
		if found := shape.FindString(folded); found != "" {
			return found
		}
	}
	return ""
}

// elicits finds requests for private data, and requests that send a participant elsewhere or have them do something: in the
// interview's language, and in English, which models fall back to.
func (g *Guard) elicits(folded string) (violations []Violation) {
	shown := func(found string) string { return strings.Trim(found, " .,;:!?¿¡。、，：；") }
	codes := []string{g.lexicon.code, "en"}
	for i, code := range codes {
		e, known := elicitByLanguage[code]
		if !known || i > 0 && code == codes[0] {
			continue
		}
		if found := e().secretIn(folded); found != "" {
			return append(violations, violation(OffSubject, "“%s” asks for private data; ask about the subject.", shown(found)))
		}
		if found := first(e().away, folded); found != "" {
			return append(violations, violation(Link, "“%s” sends the participant elsewhere, or to do something; only ask.", shown(found)))
		}
	}
	return violations
}
