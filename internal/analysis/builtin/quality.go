package builtin

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"verbatim/internal/guide"
	"verbatim/internal/response"
	"verbatim/internal/wordcount"
)

// The parts of a score and what they count for. Parts about open answers are left out where none was asked for.
const (
	partEffort       = "effort"
	partSpecificity  = "specificity"
	partCompleteness = "completeness"
	partAttention    = "attention"
)

var partWeights = map[string]float64{partEffort: 0.35, partSpecificity: 0.35, partCompleteness: 0.2, partAttention: 0.1}

// quality scores the interview from 1 to 5 in halves.
func (r *reading) quality() response.Quality {
	parts := []response.QualityPart{r.completeness()}
	if r.count(skipped) < len(r.answers) {
		parts = append(parts, r.attention())
	}
	open := r.count(substantial, unsure, gibberish)
	for i := range r.answers {
		if r.answers[i].kind == skipped && r.answers[i].item.Type == guide.OpenEnded {
			open++
		}
	}
	if open > 0 {
		parts = append([]response.QualityPart{r.effort(open), r.specificity(open)}, parts...)
	}
	sum, weights, limit := 0.0, 0.0, 5.0
	for i := range parts {
		p := &parts[i]
		p.Score = halves(p.Score)
		sum += p.Score * partWeights[p.Name]
		weights += partWeights[p.Name]
		// What was not read or not answered cannot be made good by other parts.
		if p.Name == partAttention || p.Name == partCompleteness {
			limit = min(limit, p.Score+1.5)
		}
	}
	if r.in.Response.Progress == response.ScreenedOut {
		limit = min(limit, 3) // a few screening answers show too little to call them good
	}
	return response.Quality{Score: halves(min(sum/weights, limit)), Parts: parts}
}

// halves rounds to the nearest half from 1 to 5.
func halves(score float64) float64 { return min(5, max(1, math.Round(score*2)/2)) }

// between is where x stands on a line from (x1, 1) through the given points up to 5, one point a score.
func between(x float64, points ...float64) float64 {
	if x <= points[0] {
		return 1
	}
	for i := 1; i < len(points); i++ {
		if x < points[i] {
			return float64(i) + (x-points[i-1])/(points[i]-points[i-1])
		}
	}
	return float64(len(points))
}

// effort looks at how much was said in the open answers, and whether the time was enough to read and to say it.
func (r *reading) effort(open int) response.QualityPart {
	words := 0
	for i := range r.answers {
		if r.answers[i].kind == substantial {
			words += r.answers[i].words
		}
	}
	average := float64(words) / float64(open)
	p := response.QualityPart{
		Name:   partEffort,
		Score:  between(average, 1, 6, 14, 24, 38),
		Reason: fmt.Sprintf("%s per open answer on average, over %s.", plural(int(average+0.5), "word"), plural(open, "open question")),
	}
	if need, took := r.leastTime(), r.in.Response.Duration; took > 0 && took < need/2 {
		p.Score = min(p.Score-1, 2.5)
		p.Reason += fmt.Sprintf(" The interview took %s; reading and answering it takes some %s even in haste.", spoken(took), spoken(need))
	}
	return p
}

// leastTime is how long a fast reader and writer needs for the interview: 300 words a minute read, 70 typed or 170
// spoken, and a second and a half for each choice.
func (r *reading) leastTime() time.Duration {
	perMinute := 70.0
	if r.in.Guide != nil {
		if mode := r.in.Guide.Config.InterviewMode; mode != "" && mode != guide.ModeText {
			perMinute = 170
		}
	}
	minutes := 0.0
	for _, e := range r.in.Exchanges {
		minutes += float64(wordcount.Of(e.Moderator)) / 300
	}
	for i := range r.answers {
		switch r.answers[i].kind {
		case closed:
			minutes += 1.5 / 60
		case skipped:
		default:
			minutes += float64(r.answers[i].words) / perMinute
		}
	}
	return time.Duration(minutes * float64(time.Minute))
}

func spoken(d time.Duration) string {
	if d < 90*time.Second {
		return plural(max(1, int(d.Seconds()+0.5)), "second")
	}
	return plural(int(d.Minutes()+0.5), "minute")
}

// specificity looks for what only this participant could say: names, figures, moments, and a range of different words.
func (r *reading) specificity(open int) response.QualityPart {
	topics := map[string]bool{}
	figures, names, moments := 0, 0, 0
	for i := range r.answers {
		for _, s := range r.answers[i].sentences {
			if r.answers[i].kind != substantial {
				continue
			}
			for j, w := range s.tokens {
				if w.stem != "" {
					topics[w.stem] = true
				}
				switch {
				case strings.ContainsFunc(w.text, unicode.IsDigit):
					figures++
				case j > 0 && startsUpper(w.text) && w.stem != "" && !r.lang.capitalNouns:
					names++
				case concrete[w.lower]:
					moments++
				}
			}
			for _, m := range concreteDense {
				moments += strings.Count(s.text, m)
			}
		}
	}
	details := figures + names + moments
	perAnswer := (float64(len(topics)) + 1.5*float64(details)) / float64(open)
	return response.QualityPart{
		Name:  partSpecificity,
		Score: between(perAnswer, 0.5, 2, 5, 8.5, 13),
		Reason: fmt.Sprintf("%s and %s (figures, names, moments) over %s.",
			plural(len(topics), "different content word"), plural(details, "concrete detail"), plural(open, "open question")),
	}
}

// concrete are words of particular moments and examples.
var concrete = set(`yesterday ago monday tuesday wednesday thursday friday saturday sunday example instance once twice last january february march april june july august september october november december
	gestern letzte letzten letztes montag dienstag mittwoch donnerstag freitag samstag sonntag beispiel einmal neulich hier dernier dernière lundi mardi mercredi jeudi vendredi samedi dimanche exemple
	ayer pasado pasada lunes martes miércoles jueves viernes sábado domingo ejemplo ontem passado passada segunda terça quarta quinta sexta exemplo
	ieri scorso scorsa lunedì martedì mercoledì giovedì venerdì sabato domenica esempio gisteren vorige maandag dinsdag woensdag donderdag vrijdag zaterdag zondag voorbeeld`)

// concreteDense are the same in scripts without spaces.
var concreteDense = []string{"昨日", "先週", "先月", "例えば", "たとえば", "昨天", "上周", "上週", "上个月", "上個月", "比如", "例如"}

// completeness looks at how much of what was asked was answered.
func (r *reading) completeness() response.QualityPart {
	asked := len(r.answers)
	if asked == 0 {
		return response.QualityPart{Name: partCompleteness, Score: 1, Reason: "No question was answered."}
	}
	full := r.count(substantial, closed)
	share := (float64(full) + 0.4*float64(r.count(unsure))) / float64(asked)
	p := response.QualityPart{
		Name:   partCompleteness,
		Score:  1 + 4*share,
		Reason: fmt.Sprintf("%d of %s answered with something to go on.", full, plural(asked, "question")),
	}
	switch r.in.Response.Progress {
	case response.InProgress:
		p.Score = min(p.Score, 3)
		p.Reason += " The interview was not finished."
	case response.ScreenedOut:
		p.Reason += " The interview ended in screening."
	}
	return p
}

// attention looks for answers given without reading: keys struck at random, one text for several questions, a matrix
// answered in one column from top to bottom.
func (r *reading) attention() response.QualityPart {
	p := response.QualityPart{Name: partAttention, Score: 5}
	var reasons []string
	if n := r.count(gibberish); n > 0 {
		share := float64(n) / float64(n+r.count(substantial, unsure))
		p.Score -= 1 + 3*share
		reasons = append(reasons, plural(n, "answer")+" that cannot be read")
	}
	said := map[string]bool{}
	repeats := 0
	for i := range r.answers {
		// Short answers repeat by nature: the same "yes" to two questions is no sign.
		if a := &r.answers[i]; a.kind == substantial && a.words >= 4 {
			text := plain(a.Text)
			if said[text] {
				repeats++
			}
			said[text] = true
		}
	}
	if repeats > 0 {
		p.Score -= 1 + 3*float64(repeats)/float64(max(1, r.count(substantial)))
		reasons = append(reasons, plural(repeats, "answer")+" repeated word for word")
	}
	lines, matrices := 0, 0
	for i := range r.answers {
		if a := &r.answers[i]; a.kind == closed && a.item.Type == guide.Matrix {
			matrices++
			if rows := straight(a.Text); rows >= 4 {
				lines++
				p.Score -= min(2, float64(rows)/4)
			}
		}
	}
	if lines > 0 {
		reasons = append(reasons, fmt.Sprintf("%d of %s answered in one column throughout", lines, plural(matrices, "rating grid")))
	}
	if len(reasons) == 0 {
		p.Reason = "No sign of answers given without reading."
	} else {
		p.Reason = upperFirst(list(reasons)) + "."
	}
	return p
}

// straight is how many rows a matrix answer has when all have the same column, and 0 otherwise.
func straight(text string) int {
	rows, column := 0, ""
	for line := range strings.SplitSeq(text, "\n") {
		at := strings.LastIndex(line, ": ")
		if at < 0 {
			continue
		}
		if c := line[at:]; rows == 0 {
			column = c
		} else if c != column {
			return 0
		}
		rows++
	}
	return rows
}
