package textanalysis

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/response"
)

// enoughContent is the number of content words from which on an answer can be judged off topic.
const enoughContent = 4

// relevance checks whether the open answers are about the topic of the study: whether they share a content word with its goal,
// its questions, its options and concepts, or with an answer that does. Sharing none is a weak sign, so it costs little. judged
// is false where it cannot be decided: in languages without word lists, and if the answers are in another language than the
// guide.
func (r *reading) relevance() (p response.QualityPart, judged bool) {
	p.Name = partRelevance
	about := r.studyWords()
	var long []*answer
	contents := map[*answer]map[string]bool{}
	for i := range r.answers {
		if a := &r.answers[i]; a.kind == substantial {
			if c := r.contentOf(a.sentences, a.words); c.words >= enoughContent {
				long = append(long, a)
				contents[a] = c.topics
			}
		}
	}
	if about == nil || len(long) == 0 {
		return p, false
	}
	on := map[*answer]bool{}
	for grown := true; grown; {
		grown = false
		for _, a := range long {
			if !on[a] && shareKey(contents[a], about) {
				on[a], grown = true, true
				maps.Copy(about, contents[a])
			}
		}
	}
	p.Score, p.Reason = 5, "The open answers are about what the study asks."
	if off := len(long) - len(on); off > 0 {
		p.Score = 5 - 2*float64(off)/float64(len(long))
		p.Reason = fmt.Sprintf("%d of %s longer than a few words share no word with the study, its questions or the other answers.", off, plural(len(long), "open answer"))
		for _, a := range long {
			if !on[a] {
				p.Rows = append(p.Rows, a.rows()...)
			}
		}
		return p, true
	}
	for _, a := range long {
		p.Rows = append(p.Rows, a.rows()...)
	}
	return p, true
}

func shareKey(a, b map[string]bool) bool {
	for key := range a {
		if b[key] {
			return true
		}
	}
	return false
}

// studyWords returns the keys of the guide's content words, or nil if they cannot be compared with these answers.
func (r *reading) studyWords() map[string]bool {
	g := r.in.Guide
	if g == nil || len(r.lang.stop) == 0 {
		return nil
	}
	texts := guideTexts(g)
	for i := range r.answers {
		texts = append(texts, r.answers[i].ConceptTitle)
	}
	if languageOf(cmp.Or(g.Config.QuestionLanguage, "en"), texts) != r.lang {
		return nil
	}
	about := map[string]bool{}
	for _, text := range texts {
		text = head(text, maxRead)
		maps.Copy(about, r.contentOf(sentences(text, r.lang), lang.Words(text)).topics)
	}
	if len(about) == 0 {
		return nil
	}
	return about
}

// guideTexts returns what a guide says of its study, its questions, options and concepts.
func guideTexts(g *guide.Guide) []string {
	texts := []string{g.Title, g.ExternalTitle, g.StudyGoal, g.Background}
	for b := range g.Blocks {
		block := &g.Blocks[b]
		texts = append(texts, block.Title)
		for i := range block.Items {
			texts = append(texts, itemTexts(&block.Items[i])...)
		}
		if block.Sampling != nil {
			for _, c := range block.Sampling.Concepts {
				texts = append(texts, c.Title, c.Description)
			}
		}
	}
	return texts
}

func itemTexts(it *guide.Item) []string {
	texts := []string{it.Text, it.AddInstructions, it.Metric}
	for _, o := range it.Options {
		texts = append(texts, o.Text)
	}
	for _, row := range it.Rows {
		texts = append(texts, row.Text)
	}
	return texts
}

// consistencyAtLeast is the number of comparisons that a judgement needs.
const consistencyAtLeast = 4

// consistency checks whether answers that compare the same options agree: the screens of a MaxDiff with each other, and with
// rankings. Putting one option above another in one answer and below it in another cannot both be meant. What a closed answer and
// an open one say of the same thing is not compared: only understanding them could do that fairly.
func (r *reading) consistency() (p response.QualityPart, judged bool) {
	above := map[string]map[string]bool{}
	comparisons := 0
	var pairs [][2]string
	note := func(top, bottom string) {
		if top, bottom = plain(top), plain(bottom); top != bottom && top != "" && bottom != "" {
			if above[top] == nil {
				above[top] = map[string]bool{}
			}
			above[top][bottom] = true
			comparisons++
			pairs = append(pairs, [2]string{top, bottom})
		}
	}
	several := 0
	for i := range r.answers {
		a := &r.answers[i]
		lines := strings.Split(a.Text, "\n")
		if a.kind != closed || len(lines) < 2 {
			continue
		}
		switch a.item.Type {
		case guide.MaxDiff:
			several += len(lines)
			for _, line := range lines {
				if top, bottom, found := strings.Cut(strings.TrimPrefix(line, "Most: "), "; Least: "); found {
					note(top, bottom)
				}
			}
		case guide.Ranking:
			several++
			for j := range lines[1:] {
				note(rankNumber.ReplaceAllString(lines[j], ""), rankNumber.ReplaceAllString(lines[j+1], ""))
			}
		default:
			continue
		}
		p.Rows = append(p.Rows, a.rows()...)
	}
	if comparisons < consistencyAtLeast || several < 2 {
		return p, false
	}
	against := 0
	for _, pair := range pairs {
		if ranksAbove(above, pair[1], pair[0]) {
			against++
		}
	}
	p.Name, p.Score = partConsistency, 5-4*min(1, 1.5*float64(against)/float64(comparisons))
	p.Reason = "What was put first and last agrees throughout."
	if against > 0 {
		p.Reason = fmt.Sprintf("%d of %s contradict others.", against, plural(comparisons, "comparison"))
	}
	return p, true
}

// ranksAbove reports whether one option stands above another, directly or over others.
func ranksAbove(above map[string]map[string]bool, from, to string) bool {
	seen, next := map[string]bool{from: true}, []string{from}
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		if at == to {
			return true
		}
		for below := range above[at] {
			if !seen[below] {
				seen[below] = true
				next = append(next, below)
			}
		}
	}
	return false
}
