package textanalysis

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"verbatim/internal/domain/lang"
)

const (
	shingle      = 3 // successive words
	shingleDense = 6 // successive characters of scripts without spaces
	sketchSize   = 8

	// SketchAlike is the number of equal hashes from which on the answers of two sketches are worth comparing.
	SketchAlike = 2

	alikeShare = 0.4 // of common shingles in all shingles, from which on two answers are near copies
)

// shinglesOf returns the hashes of each few successive words of an answer, without those that its question has: many people begin
// with its words. It returns nil for an answer so short that likeness may be chance.
func shinglesOf(question, text string) map[uint64]bool {
	asked := map[uint64]bool{}
	addShingles(asked, question)
	all := map[uint64]bool{}
	if lang.Words(text) < CopyWords {
		return nil
	}
	addShingles(all, head(text, maxRead))
	for h := range asked {
		delete(all, h)
	}
	if len(all) < CopyWords-shingle {
		return nil
	}
	return all
}

func addShingles(all map[uint64]bool, text string) {
	var words []string
	n := shingle
	for word := range strings.FieldsSeq(plain(text)) {
		if strings.ContainsFunc(word, lang.Unspaced) {
			n = shingleDense
			for _, r := range word {
				words = append(words, string(r))
			}
			continue
		}
		words = append(words, word)
	}
	for i := 0; i+n <= len(words); i++ {
		h := fnv.New64a()
		_, _ = h.Write([]byte(strings.Join(words[i:i+n], " ")))
		all[h.Sum64()] = true
	}
}

// Sketch returns the hashes by which answers like this one are found: in two answers about as large a share of them is equal as the
// answers have successive words in common (Broder, On the resemblance and containment of documents, 1997). It returns nil
// for short answers. Words of the question do not count.
func Sketch(question, text string) []string {
	shingles := shinglesOf(question, text)
	if len(shingles) == 0 {
		return nil
	}
	sketch := make([]string, sketchSize)
	for slot := range sketch {
		least := ^uint64(0)
		for h := range shingles {
			least = min(least, mix(h+uint64(slot)*0x9e3779b97f4a7c15))
		}
		sketch[slot] = strconv.Itoa(slot) + "-" + strconv.FormatUint(least>>16, 36)
	}
	return sketch
}

// mix is the finalizer of the SplitMix64 generator.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Alike reports whether two answers to questions are near copies: so many successive words in common cannot be chance.
func Alike(question, text, earlierQuestion, earlier string) bool {
	a, b := shinglesOf(question, text), shinglesOf(earlierQuestion, earlier)
	common := 0
	for h := range a {
		if b[h] {
			common++
		}
	}
	return common > 0 && float64(common) >= alikeShare*float64(len(a)+len(b)-common)
}

// copied looks for answers that earlier responses have word for word or nearly so.
func (r *reading) copied() sign {
	s := sign{part: partAuthenticity}
	long := 0
	for i, e := range r.in.Exchanges {
		if e.Statement || r.isClosed(e.ItemID) || lang.Words(e.User) < CopyWords {
			continue
		}
		long++
		if r.in.Copies[Row(i)] > 0 || r.in.NearCopies[Row(i)] {
			s.rows = append(s.rows, Row(i))
		}
	}
	if n := len(s.rows); n > 0 {
		s.weight = ramp(float64(n)/float64(long), 0, 0.5, 0.9)
		if n == 1 {
			s.weight = min(s.weight, 0.4)
		}
		s.reason = fmt.Sprintf("%s nearly the words of an earlier response.", upperFirst(plural(n, "answer")+has(n)))
	}
	return s
}

// mentions reports whether a word is one of the listed.
func mentions(words []string, list map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return list[w] })
}

// wordsOf splits a text into words in lower case, with ' as the apostrophe.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '\''
	})
}
