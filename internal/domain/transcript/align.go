package transcript

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/lang"
)

const (
	// maxCompared limits the pairs of words of one gap between common words that are compared with each other.
	maxCompared = 1 << 20
	// leastCommon is the share of a text's words that have to be transcribed ones. Below it, the text was not made from the transcript.
	leastCommon = 0.3
)

// token is a word of a text, or a character in scripts without spaces.
type token struct {
	key        string // as words are compared
	from, to   int    // bytes
	start, end time.Duration
	confidence float64
}

// tokens returns the words of a text.
func tokens(text string) (all []token) {
	begin := -1
	end := func(at int) {
		if begin >= 0 {
			all = append(all, token{key: evidence.Fold(text[begin:at]), from: begin, to: at, confidence: Unknown})
			begin = -1
		}
	}
	for i, r := range text {
		switch {
		case lang.Unspaced(r) && unicode.IsLetter(r):
			end(i)
			begin = i
			end(i + utf8.RuneLen(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if begin < 0 {
				begin = i
			}
		default:
			end(i)
		}
	}
	end(len(text))
	return all
}

// transcribedTokens returns the words of a transcript. Of one that has several parts each has its share of the time.
func transcribedTokens(words []Word) (all []token) {
	for _, w := range words {
		parts := tokens(w.Text)
		total, done := 0, 0
		for _, p := range parts {
			total += p.to - p.from
		}
		for _, p := range parts {
			p.start = w.Start + (w.End-w.Start)*time.Duration(done)/time.Duration(total)
			done += p.to - p.from
			p.end = w.Start + (w.End-w.Start)*time.Duration(done)/time.Duration(total)
			p.confidence = w.Confidence
			all = append(all, p)
		}
	}
	return all
}

// Align returns the words of a text that a person made of a transcript, with times. A word of the transcript has its own time; one between two
// such has a share of the time between them, and unknown confidence. It returns nil if too little of the text was transcribed.
func Align(text string, transcribed []Word) []PlacedWord {
	own, other := tokens(text), transcribedTokens(transcribed)
	pairs := make([]int, len(own)) // index of the transcribed word, or -1
	for i := range pairs {
		pairs[i] = -1
	}
	match(own, other, 0, 0, pairs)
	common := 0
	for i, at := range pairs {
		if at >= 0 {
			common++
			own[i].start, own[i].end, own[i].confidence = other[at].start, other[at].end, other[at].confidence
		}
	}
	if common == 0 || float64(common) < leastCommon*float64(len(own)) {
		return nil
	}
	interpolate(own, pairs, other)
	return place(text, own)
}

// match finds common words in the same order: those at both ends, then words that occur once on each side, and between them the longest
// common sequence. ownAt and otherAt are the indexes of the first words in pairs.
func match(own, other []token, ownAt, otherAt int, pairs []int) {
	for len(own) > 0 && len(other) > 0 && own[0].key == other[0].key {
		pairs[ownAt] = otherAt
		own, other, ownAt, otherAt = own[1:], other[1:], ownAt+1, otherAt+1
	}
	for len(own) > 0 && len(other) > 0 && own[len(own)-1].key == other[len(other)-1].key {
		pairs[ownAt+len(own)-1] = otherAt + len(other) - 1
		own, other = own[:len(own)-1], other[:len(other)-1]
	}
	if len(own) == 0 || len(other) == 0 {
		return
	}
	if len(own)*len(other) <= maxCompared {
		longestCommon(own, other, ownAt, otherAt, pairs)
		return
	}
	anchors := uniqueCommon(own, other)
	lastOwn, lastOther := 0, 0
	for _, a := range anchors {
		pairs[ownAt+a[0]] = otherAt + a[1]
		match(own[lastOwn:a[0]], other[lastOther:a[1]], ownAt+lastOwn, otherAt+lastOther, pairs)
		lastOwn, lastOther = a[0]+1, a[1]+1
	}
	if len(anchors) > 0 {
		match(own[lastOwn:], other[lastOther:], ownAt+lastOwn, otherAt+lastOther, pairs)
	}
}

// longestCommon pairs the words of the longest common sequence.
func longestCommon(own, other []token, ownAt, otherAt int, pairs []int) {
	width := len(other) + 1
	lengths := make([]int32, (len(own)+1)*width) // of the sequences of what begins at each pair of words
	for i := len(own) - 1; i >= 0; i-- {
		for j := len(other) - 1; j >= 0; j-- {
			if own[i].key == other[j].key {
				lengths[i*width+j] = lengths[(i+1)*width+j+1] + 1
			} else {
				lengths[i*width+j] = max(lengths[(i+1)*width+j], lengths[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(own) && j < len(other); {
		switch {
		case own[i].key == other[j].key:
			pairs[ownAt+i] = otherAt + j
			i, j = i+1, j+1
		case lengths[(i+1)*width+j] >= lengths[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}

// uniqueCommon returns the indexes of words that occur once on both sides, in an order that holds on both: greedily, the nearest first.
func uniqueCommon(own, other []token) (pairs [][2]int) {
	count := map[string][3]int{} // how often on each side, and the index on the other side
	for _, t := range own {
		c := count[t.key]
		c[0]++
		count[t.key] = c
	}
	for j, t := range other {
		c := count[t.key]
		c[1], c[2] = c[1]+1, j
		count[t.key] = c
	}
	last := -1
	for i, t := range own {
		c := count[t.key]
		ahead := c[2] - last
		if c[0] == 1 && c[1] == 1 && ahead > 0 && ahead < 500 {
			pairs, last = append(pairs, [2]int{i, c[2]}), c[2]
		}
	}
	return pairs
}

// interpolate gives words that were not transcribed a share of the time between those that were.
func interpolate(own []token, pairs []int, other []token) {
	for i := 0; i < len(own); {
		if pairs[i] >= 0 {
			i++
			continue
		}
		first := i
		for i < len(own) && pairs[i] < 0 {
			i++
		}
		from, to := other[0].start, other[len(other)-1].end
		if first > 0 {
			from = own[first-1].end
		}
		if i < len(own) {
			to = max(from, own[i].start)
		}
		if first == 0 {
			from = min(from, to)
		}
		n := time.Duration(i - first)
		for k := first; k < i; k++ {
			at := time.Duration(k - first)
			own[k].start, own[k].end = from+(to-from)*at/n, from+(to-from)*(at+1)/n
		}
	}
}

// place returns words with their places in UTF-16 code units.
func place(text string, words []token) []PlacedWord {
	placed := make([]PlacedWord, len(words))
	bytes, units := 0, 0 // the same place
	advance := func(to int) int {
		between := text[bytes:to]
		units += evidence.UTF16Offset(between, len(between))
		bytes = to
		return units
	}
	for i, w := range words {
		from := advance(w.from)
		placed[i] = PlacedWord{Word{strings.Clone(text[w.from:w.to]), w.start, w.end, w.confidence}, from, advance(w.to)}
	}
	return placed
}

// Times returns when the words between two places, in UTF-16 code units, were said; ok is false if none was.
func Times(words []PlacedWord, from, to int) (begins, ends time.Duration, ok bool) {
	for _, w := range words {
		if w.To <= from || w.From >= to {
			continue
		}
		if !ok {
			begins = w.Start
		}
		ends, ok = max(ends, w.End), true
	}
	return begins, ends, ok
}
