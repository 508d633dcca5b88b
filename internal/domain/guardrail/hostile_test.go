package guardrail_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"verbatim/internal/domain/guardrail"
)

// hostileRunes is the length of the texts by which somebody might try to keep the guard busy.
const hostileRunes = 4000

// hostileTexts returns texts of that length: one word, one letter, punctuation, quotes, the words of a trial again and again and in any order.
func hostileTexts(random *rand.Rand, words []string) (all []string) {
	fill := func(part func() string) {
		var b strings.Builder
		for n := 0; n < hostileRunes; {
			text := part()
			b.WriteString(text)
			n += utf8.RuneCountInString(text)
		}
		all = append(all, string([]rune(b.String())[:hostileRunes]))
	}
	for _, part := range []string{"a", "wie ", "的", "か", "ي", "“a” ", "'", "?", "and what ", "http://a.b ", "\u0301", "www.", "1 2 ", "何 "} {
		fill(func() string { return part })
	}
	for _, between := range []string{" ", "? ", ", ", "", ". "} {
		fill(func() string { return words[random.IntN(len(words))] + between })
	}
	return all
}

// worst judges hostile texts after hostile answers in ten languages and returns the longest time of one judgement.
func worst(tb testing.TB) (longest time.Duration, text string) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, language := range []string{"en", "de", "fr", "es", "it", "pt", "nl", "ar", "zh", "ja"} {
		var words []string
		var in guardrail.Context
		for _, one := range trials(tb) {
			for _, c := range one.cases {
				if context := one.context(c); context.Language == language {
					in = context
					words = append(words, strings.Fields(c.Text+" "+context.Answer)...)
				}
			}
		}
		texts := hostileTexts(random, words)
		in.Answer = texts[len(texts)-1]
		guard := guardrail.For(in)
		guard.Judge("?") // reads the lists of the language
		for _, hostile := range texts {
			begin := time.Now()
			if len(guard.Judge(hostile)) == 0 {
				tb.Errorf("%s: passes: %.40s", language, hostile)
			}
			took := time.Since(begin)
			if took > longest {
				longest, text = took, language+": "+string([]rune(hostile)[:40])
			}
		}
	}
	return longest, text
}

// BenchmarkHostile reports the longest judgement of hostile texts.
func BenchmarkHostile(b *testing.B) {
	var longest time.Duration
	for b.Loop() {
		took, _ := worst(b)
		longest = max(longest, took)
	}
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms/worst")
}

// TestHostile: every hostile text is refused.
func TestHostile(t *testing.T) {
	t.Parallel()
	longest, text := worst(t)
	t.Logf("longest judgement: %v, %s", longest, text) // of a machine that may be busy
}

// TestLongTextsCostNoMore: a text a hundred times as long is judged with hardly more work, because only its beginning is.
func TestLongTextsCostNoMore(t *testing.T) { // not parallel: it counts allocations
	guard := guardrail.For(guardrail.Context{Language: "en", Question: "How was your last trip?", Answer: "The train was late.", Left: 1})
	cost := func(words int) float64 {
		text := strings.Repeat("what happened on the train then? ", words)
		return testing.AllocsPerRun(3, func() { guard.Judge(text) })
	}
	if short, long := cost(120), cost(12_000); long > 2*short {
		t.Errorf("a long text costs %.0f allocations, a short one %.0f", long, short)
	}
}
