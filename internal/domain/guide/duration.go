package guide

import "unicode"

// Minutes holds the range of minutes that an interview takes: From for someone who reads and answers quickly and is asked little of what not
// everyone is asked, To for someone who takes their time and is asked most of it.
type Minutes struct {
	From, To int // From is at least 1, and To is larger
}

// Minutes estimates how long an interview takes. The translations of a guide take as long as the guide.
func (g *Guide) Minutes() Minutes {
	var all pace
	items := make(map[*Block]pace, len(g.Blocks))
	for _, e := range NewIndex(g).items {
		items[e.block] = items[e.block].plus(e.pace().only(e.Conditional))
	}
	for i := range g.Blocks {
		all = all.plus(g.Blocks[i].pace(items[&g.Blocks[i]]))
	}
	const minute, exact, coarse = 60, 10, 5 // above ten minutes the estimate is in steps of five
	m := Minutes{From: max(1, int(all.quick/minute)), To: int(all.slow/minute) + 1}
	if m.From > exact {
		m.From -= m.From % coarse
	}
	if m.To > exact {
		m.To += (coarse - m.To%coarse) % coarse
	}
	m.To = max(m.To, m.From+1)
	return m
}

// pace is a time in seconds, for a quick participant and for a slow one.
type pace struct{ quick, slow float64 }

func (p pace) plus(q pace) pace { return pace{p.quick + q.quick, p.slow + q.slow} }

func (p pace) times(quick, slow int) pace {
	return pace{p.quick * float64(quick), p.slow * float64(slow)}
}

// only returns the pace of something that is shown under a condition, if it has one: few conditions hold for nobody, or for everybody.
func (p pace) only(conditional *Conditional) pace {
	if conditional != nil {
		return pace{p.quick / 4, p.slow * 3 / 4}
	}
	return p
}

// Times of what takes longer than its words. They are rough: people differ more than these numbers do.
var (
	wordPace     = pace{0.22, 0.4} // 270 and 150 words a minute
	openPace     = pace{15, 50}
	followUpPace = pace{12, 40}
	choicePace   = pace{2, 6}
	optionPace   = pace{0, 1} // beyond reading it, where several may be chosen
	rankPace     = pace{2, 6} // an option
	rowPace      = pace{2, 5} // of a matrix
	screenPace   = pace{6, 15}
	filePace     = pace{20, 90}
	picturePace  = pace{1, 5}
	filmPace     = pace{10, 60}
	pagePace     = pace{10, 60} // an embedded page
)

// pace returns the time of a block whose items take the given time once. Each concept is looked at, and every item is asked about it.
func (b *Block) pace(items pace) pace {
	if b.Sampling == nil || len(b.Sampling.Concepts) == 0 {
		return items
	}
	var concepts pace
	certain := 0
	for i := range b.Sampling.Concepts {
		c := &b.Sampling.Concepts[i]
		looked := reading(c.Title, c.Description).plus(mediaPace(c.Media, c.Embed))
		concepts = concepts.plus(looked)
		if c.Conditional == nil {
			certain++
		}
	}
	shown, count := b.shownConcepts(), float64(len(b.Sampling.Concepts))
	mean := pace{concepts.quick / count, concepts.slow / count}
	return items.plus(mean).times(min(shown, certain), shown)
}

// pace returns the time of an item that is asked once.
func (e *entry) pace() pace {
	took := reading(e.Text, e.Metric).plus(mediaPace(e.Media, e.Embed))
	options, certain := e.root.Options, 1
	if e.source != nil {
		certain = 0 // few or none of the options may be carried forward
	}
	for i := range options {
		if e.Type != MaxDiff { // its screens include the reading
			took = took.plus(reading(options[i].Text).times(certain, 1))
		}
	}
	switch e.Type {
	case OpenEnded:
		limit := e.FollowUp.Limit()
		return took.plus(openPace).plus(followUpPace.times(limit/2, limit))
	case MultipleChoice:
		if e.MultiSelect {
			took = took.plus(optionPace.times(len(options), len(options)))
		}
		return took.plus(choicePace)
	case Ranking:
		return took.plus(rankPace.times(len(options)*certain, len(options)))
	case Matrix:
		for i := range e.Rows {
			took = took.plus(reading(e.Rows[i].Text)).plus(rowPace)
		}
	case MaxDiff:
		return took.plus(screenPace.times(e.steps(), e.steps()))
	case FileUpload:
		return took.plus(filePace)
	}
	return took
}

func mediaPace(media []Media, embed *Embed) (took pace) {
	for i := range media {
		switch {
		case media[i].Type != "video":
			took = took.plus(picturePace)
		case media[i].ForceWatching:
			took = took.plus(filmPace)
		default:
			took = took.plus(filmPace.times(0, 1))
		}
	}
	if embed != nil {
		took = took.plus(pagePace)
	}
	return took
}

// reading returns the time to read texts. Languages that are written without spaces take half a word a character.
func reading(texts ...string) pace {
	words := 0.0
	for _, text := range texts {
		inWord := false
		for _, r := range text {
			dense := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
			if dense {
				words += 0.5
			}
			letter := !dense && !unicode.IsSpace(r)
			if letter && !inWord {
				words++
			}
			inWord = letter
		}
	}
	return pace{wordPace.quick * words, wordPace.slow * words}
}
