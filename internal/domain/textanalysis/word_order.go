package textanalysis

import (
	"fmt"
	"math"
	"strings"
	"unicode"
)

// Small words have places: no language of those below ends a sentence with "the", or goes from "of" to "and". People who leave
// small words out rarely break this, for what they leave out stands nowhere; the words of a shuffled text break it all the time. So
// the grammar looks only at pairs of small words, never at other words. Words that are often written for others that sound alike
// (their for they're, sa for ça) and words with several uses are left out.
//
// A class holds words that cannot stand before those of some other classes, or at the end of a sentence.
type grammar struct {
	classes map[string]string          // of words, by word
	never   map[string]map[string]bool // the classes that cannot follow a class; a full stop is the end of a sentence
}

const end = "."

// newGrammar reads classes and what cannot follow them, one class to a line: name, words, and behind a bar what cannot follow.
func newGrammar(lines string) grammar {
	g := grammar{map[string]string{}, map[string]map[string]bool{}}
	for line := range strings.Lines(lines) {
		words, never, _ := strings.Cut(line, "|")
		name, words, _ := strings.Cut(strings.TrimSpace(words), " ")
		for word := range strings.FieldsSeq(words) {
			g.classes[word] = name
		}
		g.never[name] = set(never)
	}
	return g
}

// grammars of the languages with word lists.
var grammars = map[string]grammar{
	"en": newGrammar(`article the a my our every | article preposition particle subject object joint clause verb .
		preposition of from at during into with | joint subject verb
		particle in on to for about under by | subject verb
		subject i we they he she | article preposition particle subject object clause
		object it him them us me |
		joint and or but | joint .
		clause because when if which while although | joint .
		verb is are was were am has will can would could should must | verb
		degree very | article preposition particle subject object joint clause verb .`),
	"de": newGrammar(`article ein eine einen einem einer mein meine meinen meinem meiner unsere unseren im am zum zur vom beim ins | article case both preposition subject object joint clause verb .
		case dem des den | article joint .
		both der die | joint .
		preposition für von ohne gegen zwischen wegen in bei | subject joint verb .
		subject ich er wir man du | subject
		object mich mir dich dir sich uns |
		joint und oder aber | joint .
		clause weil dass wenn ob | .
		verb ist sind war waren bin hat haben habe hatte wird kann muss |
		degree sehr | article case both preposition subject object joint clause verb`),
	"es": newGrammar(`article un unos unas su sus | article contraction case preposition de subject pronoun joint clause negation verb .
		contraction del al | article contraction case preposition de subject pronoun joint negation verb .
		case los las | article contraction case joint subject .
		preposition en con por sin sobre desde hacia | de pronoun joint verb negation .
		de de | de pronoun joint verb .
		subject yo nosotros ellos | subject
		pronoun me le les nos | article contraction joint subject clause negation .
		joint y o pero | joint .
		clause que porque cuando aunque quién | .
		negation no |
		verb es era son fue ha había está estaba eran | verb pronoun
		degree muy | article contraction case preposition subject pronoun joint clause negation verb .`),
	"fr": newGrammar(`one un une | one article case subject pronoun clause verb .
		some des | one article some case preposition subject pronoun joint clause verb .
		article du au aux mon ma notre votre leurs | one article some case preposition subject pronoun joint clause verb .
		case le les | one article subject joint
		preposition de pour dans sans chez par vers | subject joint verb .
		subject je tu il ils | one article preposition subject joint
		pronoun me te se ne | one article preposition subject joint clause .
		joint et ou mais donc car | .
		clause que qui parce quand si | .
		verb est étaient était avait avaient suis | verb
		degree très | one article some case preposition subject pronoun joint clause verb .`),
	"it": newGrammar(`one un uno una | one case definite pronoun subject
		article del dello della degli delle al alla ai agli alle nel nella nei nelle sul sulla dal dalla | one article case definite preposition place subject pronoun joint clause verb .
		case il i | one article case definite preposition place joint subject pronoun verb .
		definite gli | one article case definite preposition joint subject .
		preposition con per tra | place pronoun joint verb .
		of di | pronoun joint verb .
		place in da a | pronoun joint verb .
		subject io tu | subject
		pronoun mi ti ci | one article case preposition joint subject clause .
		joint o ma ed e | joint .
		clause che se | joint .
		negation non | joint .
		verb è sono era erano ho hanno aveva | verb pronoun
		degree molto |`),
	"pt": newGrammar(`one um uma uns umas | one case definite subject
		article do dos na nas no ao aos num numa pelo pela | one article case definite preposition subject joint verb .
		case os as | one case definite joint subject .
		definite o | one case definite joint subject .
		preposition de em com sem | preposition joint verb .
		to a | joint subject .
		subject eu tu nós | subject
		joint ou mas e | joint .
		clause que se | joint .
		verb são era eram foi está estava tem tinha | verb
		degree muito |`),
	"nl": newGrammar(`article de mijn onze jouw | article one particle subject joint clause because verb to .
		one een | subject verb article because to one
		particle van met voor zonder tegen tussen in op aan bij naar | subject
		subject ik hij wij jij we | subject
		joint en of maar want | joint .
		clause dat als |
		because omdat | joint verb because .
		to te | article one particle subject joint because .
		verb is zijn was waren heb heeft hebben had hadden ben kan moet | to
		degree heel erg | article joint subject`),
}

// fillers are sounds of speech, after which a sentence may begin anew.
var fillers = set(`um uh er erm eh hm hmm mm äh ähm öh euh heu ehm pues bueno`)

// How often a small word stands where it cannot, in what people write (slips, restarts and wrong words included) and in a shuffled
// text; estimates, on the side of people.
const (
	slips            = 0.012
	shuffled         = 0.12
	misplacedAtLeast = 2
)

// disorder looks for texts in which small words stand where none can.
func (r *reading) disorder() sign {
	s := sign{part: partAttention}
	g, ok := grammars[r.code()]
	if !ok {
		return r.misplacedObjects()
	}
	places, misplaced := 0, 0
	for i := range r.answers {
		a := &r.answers[i]
		if a.kind != substantial {
			continue
		}
		p, m := g.check(head(a.Text, maxRead))
		places, misplaced = places+p, misplaced+m
		if m > 0 {
			s.rows = append(s.rows, a.rows()...)
		}
	}
	if misplaced < misplacedAtLeast {
		return s
	}
	evidence := float64(misplaced)*math.Log(shuffled/slips) + float64(places-misplaced)*math.Log((1-shuffled)/(1-slips))
	s.weight = ramp(evidence, 1, 3.5, 0.9)
	s.reason = fmt.Sprintf("Words stand in no order: %d of %s stand where none can.", misplaced, plural(places, "small word"))
	return s
}

// code returns the code of the answers' language, or "".
func (r *reading) code() string {
	for _, code := range languageCodes {
		if languages[code] == r.lang {
			return code
		}
	}
	return ""
}

// check counts the small words of a text that have a place, and those that stand elsewhere.
func (g grammar) check(text string) (places, misplaced int) {
	for line := range strings.SplitSeq(text, "\n") {
		words := splitClauses(line)
		for i, word := range words {
			class := g.classes[word]
			if len(g.never[class]) == 0 {
				continue
			}
			next := end
			if i+1 < len(words) {
				next = words[i+1]
			}
			if fillers[next] || next == word || next == pause {
				continue
			}
			if next != end {
				next = g.classes[next]
			}
			places++
			if g.never[class][next] {
				misplaced++
			}
		}
	}
	return places, misplaced
}

const pause = "," // a sign within a sentence, after which anything may follow

// splitClauses returns the words of a line, with end after a sentence and pause where another sign divides words.
func splitClauses(line string) (all []string) {
	for field := range strings.FieldsSeq(strings.ToLower(strings.ReplaceAll(line, "’", "'"))) {
		var word strings.Builder
		for _, r := range field {
			if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '\'' {
				word.WriteRune(r)
				continue
			}
			if word.Len() > 0 {
				all = append(all, word.String())
				word.Reset()
			}
			mark := pause
			if r == '.' || r == '!' || r == '?' {
				mark = end
			}
			if n := len(all); n > 0 && all[n-1] != end && all[n-1] != pause {
				all = append(all, mark)
			}
		}
		if word.Len() > 0 {
			all = append(all, word.String())
		}
	}
	return all
}
