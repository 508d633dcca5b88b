package textanalysis

import "fmt"

// digression looks for interviews whose longer answers have nothing of what the study is about, which is a weak sign, and nothing
// of each other, which makes it a stronger one. What earlier responses speak of decides where there are enough of them: the frame
// of a question ("the last time", "what would have to change") and its words are easily turned to another subject, and many people
// never name the subject.
func (r *reading) digression(gists []gist) sign {
	s := r.offSubject(gists)
	share, ok := r.commonGround(gists)
	switch {
	case !ok:
	case share >= sharedByMost:
		return sign{}
	default:
		if w := ramp(share, sharedByMost, sharedByChance, 0.55); w > s.weight {
			s = sign{part: partRelevance, weight: w, rows: s.rows, reason: "The open answers speak of other things than the study and the earlier responses."}
		}
	}
	return s
}

// sharedByMost is the share of an interview's own words that most people have in common with earlier responses, sharedByChance that
// of interviews on something else.
const (
	sharedByMost   = 0.25
	sharedByChance = 0.13
)

// offSubject compares the longer answers with the words of the guide and with each other.
func (r *reading) offSubject(gists []gist) sign {
	s := sign{part: partRelevance}
	about := r.subject()
	if len(about) < subjectAtLeast {
		return s
	}
	var long []gist
	on := 0
	for _, g := range gists {
		if g.kind != substantial || len(g.topics) < enoughContent {
			continue
		}
		long = append(long, g)
		if shareKey(g.topics, about) {
			on++
		} else {
			s.rows = append(s.rows, g.rows()...)
		}
	}
	if len(long) < 3 {
		return s
	}
	share := float64(on) / float64(len(long))
	s.weight = ramp(share, 0.3, 0, 0.3)
	if on == 0 && len(long) >= 4 && !r.coherent(long) {
		s.weight = 0.6
	}
	s.reason = fmt.Sprintf("%d of %s longer than a few words have no word of what the study is about.", len(long)-on, plural(len(long), "open answer"))
	return s
}

// coherent reports whether two answers have a word in common that is no frame of a question. Short keys are too often equal by chance.
func (r *reading) coherent(gists []gist) bool {
	frame := r.frame()
	for i, g := range gists {
		for _, other := range gists[:i] {
			for key := range g.topics {
				if len(key) >= 5 && other.topics[key] && !frame[key] {
					return true
				}
			}
		}
	}
	return false
}

// frame returns the keys of the language's frame words.
func (r *reading) frame() map[string]bool {
	keys := map[string]bool{}
	for word := range frameWords[r.code()] {
		keys[keyOf(r.lang.stem(word))] = true
	}
	return keys
}

// subjectAtLeast is the number of words from which on a guide says what its study is about.
const subjectAtLeast = 5

// subjectOf returns the keys of what the study is about, or nil if it cannot be compared with the answers.
func (r *reading) subjectOf() map[string]bool {
	about := r.studyWords()
	for key := range r.frame() {
		delete(about, key)
	}
	return about
}

// frameWords stand in questions of any study.
var frameWords = map[string]map[string]bool{
	"en": set(`change changed remember last time happen happened describe tell told call visit start started deal live living people person home house day ordinary normal typical usual work affect
		longer thing annoyed annoy annoying calm year month week colleague expect expected part describe experience story recall walk make makes made important find found difficult easy hard
		like dislike wish miss missing`),
	"de": set(`ändern geändert letzten letzte mal passiert erzählen erzählt beschreiben erinnern anrufen besuch lieber warum ablaufen ablief wann tag zuhause menschen leben arbeit aufgehalten fehlt
		fehlen gefällt wünschen wichtig schwierig leicht erlebt erlebnis zuletzt benutzt jahr monat finden`),
	"es": set(`cambiar cambiado cambiarse quedarse quedar última último vez calma casa recordar recuerde cuéntenos contar cuente visita ocurrir ocurrido tendría hecho dejado dejar hacer día personas
		gente vida vivir trabajo importante difícil fácil falta gusta año mes miró mirar`),
	"fr": set(`changer changé dernière fois passé raconter décrire souvenir appel visite maison journée gens vivre travail important difficile facile manque aime année mois`),
	"it": set(`cambiare cambiato ultima volta successo raccontare descrivere ricordare chiamata visita casa giornata persone vivere lavoro importante difficile facile manca piace anno mese`),
	"pt": set(`mudar mudado última vez aconteceu contar descrever lembrar chamada visita casa dia pessoas viver trabalho importante difícil fácil falta gosta ano mês`),
	"nl": set(`veranderen veranderd laatste keer gebeurd gebeurde vertellen beschrijven herinneren bezoek huis dag mensen leven werk belangrijk moeilijk makkelijk mist jaar maand`),
}
