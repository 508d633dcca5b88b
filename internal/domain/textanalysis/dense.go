package textanalysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/lang"
)

// Scripts without spaces show no words. Their answers are compared by pairs of successive characters, and what they name by the
// characters that bear a meaning: Han, Katakana and figures. Hiragana is mostly endings and particles.

// denseGists reads the open answers of an interview in a script without spaces. It returns nil for others.
func (r *reading) denseGists() (all []gist) {
	dense, letters := 0, 0
	for i := range r.answers {
		a := &r.answers[i]
		if a.item.Type != guide.OpenEnded || a.kind == skipped {
			continue
		}
		text := head(a.Text, maxRead)
		for _, c := range text {
			if unicode.IsLetter(c) {
				letters++
				if lang.Unspaced(c) {
					dense++
				}
			}
		}
		g := gist{answer: a, topics: meanings(text), own: meanings(text), plain: letterPairs(text)}
		for key := range meanings(a.Question) {
			delete(g.own, key)
		}
		all = append(all, g)
	}
	if dense*2 < letters || dense == 0 {
		return nil
	}
	return all
}

// meanings returns each Han character, each sequence of Katakana and each figure of a text.
func meanings(text string) map[string]bool {
	all := map[string]bool{}
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			all[run.String()] = true
			run.Reset()
		}
	}
	for _, c := range text {
		switch {
		case unicode.Is(unicode.Katakana, c) || c == 'ー' || unicode.IsDigit(c):
			run.WriteRune(c)
			continue
		case unicode.Is(unicode.Han, c):
			all[string(c)] = true
		}
		flush()
	}
	flush()
	return all
}

// letterPairs returns the pairs of successive letters of a text.
func letterPairs(text string) map[string]bool {
	all := map[string]bool{}
	var last rune
	for _, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			continue
		}
		if last != 0 {
			all[string([]rune{last, c})] = true
		}
		last = c
	}
	return all
}

const (
	denseEcho   = 15   // characters, below which an answer may well use the question's words alone
	densePairs  = 0.35 // of an answer's pairs that an echo has from its question
	denseInsult = 25   // characters of an answer that may be nothing but an insult
)

// denseEchoes is echo for scripts without spaces.
func denseEchoes(g gist) (long, repeats bool) {
	if utf8.RuneCountInString(g.Text) < denseEcho || g.kind != substantial {
		return false, false
	}
	asked, common := letterPairs(g.Question), 0
	for key := range g.plain {
		if asked[key] {
			common++
		}
	}
	few := len(g.own) <= max(1, len(g.topics)/5)
	return true, few && float64(common) >= densePairs*float64(len(g.plain))
}

// denseAbuse holds words, and rude endings of verbs, that insult whoever is spoken to.
var denseAbuse = strings.Fields(`ばか 馬鹿 バカ アホ あほ クソ くそ 死ね くたばれ うるせ 黙れ だまれ 消えろ 失せろ 能無し 無能 ふざけ やがっ やがる きもい キモい 気持ち悪 てめえ てめー おまえら お前ら ゴミ カス
	傻逼 傻子 白痴 笨蛋 混蛋 垃圾 滚 有病 脑残 腦殘 去死 闭嘴 閉嘴 废物 廢物 骗子 騙子 他妈 他媽 你们这些 你們這些`)

// denseInsults returns how many short answers insult.
func denseInsults(gists []gist) (rude int, rows []int) {
	for _, g := range gists {
		if utf8.RuneCountInString(g.Text) > denseInsult {
			continue
		}
		for _, part := range denseAbuse {
			if strings.Contains(g.Text, part) {
				rude++
				rows = append(rows, g.rows()...)
				break
			}
		}
	}
	return rude, rows
}

// denseSigns returns the signs that look at words, for scripts without spaces.
func (r *reading) denseSigns() []sign {
	gists := r.denseGists()
	if len(gists) < 2 {
		return nil
	}
	repeats := sign{part: partRelevance, reason: "The open answers repeat their questions and add next to nothing."}
	long, echoes := 0, 0
	for _, g := range gists {
		l, e := denseEchoes(g)
		if l {
			long++
		}
		if e {
			echoes++
			repeats.rows = append(repeats.rows, g.rows()...)
		}
	}
	if echoes >= 2 {
		repeats.weight = ramp(float64(echoes)/float64(long), 0.3, 0.7, 0.9)
	}
	insults := sign{part: partRelevance, reason: "The open answers are insults and nothing else."}
	rude, rows := denseInsults(gists)
	if insults.rows = rows; rude >= 2 {
		insults.weight = ramp(float64(rude)/float64(len(gists)), 0.3, 0.65, 0.9)
	}
	return []sign{repeats, insults, r.repetition(gists)}
}

// afterObject holds what cannot follow the particle of the object in Japanese: other particles, and the end of a sentence.
const afterObject = "をがはのでに。、！？\n"

// misplacedObjects looks for Japanese in which the particle of the object stands where it cannot: at the beginning, at the end, or
// before another particle. It is the one particle that is hardly ever part of a word.
func (r *reading) misplacedObjects() sign {
	s := sign{part: partAttention, reason: "Words stand in no order: particles stand where none can."}
	places, misplaced := 0, 0
	for i := range r.answers {
		a := &r.answers[i]
		if a.kind != substantial {
			continue
		}
		text := []rune(strings.Join(strings.Fields(head(a.Text, maxRead)), "") + "。")
		wrong := 0
		for at, c := range text {
			if c != 'を' {
				continue
			}
			places++
			if at == 0 || strings.ContainsRune("。、！？", text[at-1]) || strings.ContainsRune(afterObject, text[at+1]) {
				wrong++
			}
		}
		if misplaced += wrong; wrong > 0 {
			s.rows = append(s.rows, a.rows()...)
		}
	}
	if misplaced >= 2 {
		s.weight = ramp(float64(misplaced)/float64(places), 0.2, 0.5, 0.9)
	}
	return s
}
