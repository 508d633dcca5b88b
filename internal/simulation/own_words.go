package simulation

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Two people who say the same thing do not use the same words. What the threads say is put in each participant's own words: phrases
// with others of the same meaning, small words that some people use all the time, and what they add to a sentence. The same seed
// always chooses the same.

// synonyms lists phrases that can stand for each other, with a bar in between.
var synonyms = strings.Split(strings.TrimSpace(`
because|seeing that|given that
i do not|i don't|i really don't
i am|i'm
it is|it's
that is|that's
i would|i'd
i have to|i need to|i've got to|i must
would have to|would need to
it takes|it needs|you need|i need
look at|check|have a look at
in the end|finally|eventually|at last
a little|a bit|slightly
a lot of|lots of|plenty of|loads of
the last time|last time|the latest time
matters most to me|is what i care about|counts most for me|is the main thing for me
what counts|what matters|the important thing
the price|the cost|what it costs
expensive|pricey|costly|dear
nice|lovely|pleasant|good
picture|photo|image|drawing
i thought of|i was thinking of|i had to think of
i thought|i was thinking|it struck me
i have bought|i bought|i've bought
everything|all of it|the whole lot
nothing|not a thing
small|tiny
quick|fast|speedy
simple|easy|plain
useful|handy|practical
i fill|i top up|i refill
i wait|i hang on|i hold on
i stood|i was standing|i was left standing
i forgot|i had forgotten|it slipped my mind, i forgot
we bought|we got|we picked up
threw away|binned|threw out
in a hurry|pressed for time|running late
the morning|the mornings|that time of day
gets hot|heats up|warms up
hot water|boiling water|water from the kettle
go to|head to|walk to
until|till
while|whilst
only|just|merely
and then|after which|and after that
afterwards|later|after that
since then|from then on|ever since
i would try it|i'd give it a go|i would have a go
to know|to be told|to find out
really|truly|honestly
is for|is meant for|is good for
then|next|after that
first sip|first mouthful|first gulp
evening before|night before
at once|right away|immediately|straight away
beside|next to
whole|entire
i come in|i walk in|i get there
sit down|take a seat
best minute|best moment|nicest minute
every|each
the same|just the same|exactly the same
nobody|no one
somebody|someone
a trip|a journey|an errand
goes wrong|does not work out
otherwise|apart from that|other than that
i understand|i see|i get
want to see|like to see
not sure|not certain
solves a problem|fixes a problem
problem|trouble|issue
looks like|seems like|sounds like
hard to|difficult to|tough to
in time|on time
minutes|minutes or so|odd minutes
`), "\n")

// household things may be the, our or my.
var household = regexp.MustCompile(`\b[Tt]he (machine|cup|kettle|pot|cat|filter|filters|tank|tray|bag|beans|scale|mug|stove|jar|grinder|shelf|counter|bathroom|bin|milk|sink|window|kitchen|cupboard|capsules|shop|fridge|phone)\b`)

var owners = []string{"the", "our", "my", "that"}

// habits are small words after "I".
var habits = []string{"usually", "just", "mostly", "simply", "normally", "basically", "kind of"}

// joints are places where people put in a word.
var (
	joints   = regexp.MustCompile(`, (?:and|but|so|because|which) `)
	joinedBy = []string{"", "", "honestly ", "of course ", "in the end ", "naturally ", "to be fair ", "then again ", "at my place "}
)

// tags end a sentence.
var tags = []string{
	"I think", "to be honest", "more or less", "at least for me", "if you ask me", "I guess", "as far as I can tell", "you know", "in my case", "that is how it is", "funnily enough", "I suppose",
	"as always", "I must say", "believe it or not", "at our place",
}

// compiledSynonyms holds for each list a pattern and its phrases.
var compiledSynonyms = sync.OnceValue(func() (all []struct {
	pattern *regexp.Regexp
	phrases []string
},
) {
	for _, line := range synonyms {
		quoted := strings.Split(regexp.QuoteMeta(line), `\|`)
		all = append(all, struct {
			pattern *regexp.Regexp
			phrases []string
		}{regexp.MustCompile(`(?i)\b(?:` + strings.Join(quoted, "|") + `)\b`), strings.Split(line, "|")})
	}
	return all
})

// afterI matches the word I where a statement begins.
var afterI = regexp.MustCompile(`(?:^|\. |, |\band |\bso )I `)

// inOwnWords rewords sentences as this participant would say them.
func (m *mind) inOwnWords(text string) string {
	draws := 0
	draw := func(n int) int {
		draws++
		return int(float(m.seed, fmt.Sprint("words", draws, text)) * float64(n))
	}
	for _, s := range compiledSynonyms() {
		done := false // the first only, so that one person does not say it throughout
		text = s.pattern.ReplaceAllStringFunc(text, func(found string) string {
			if done {
				return found
			}
			done = true
			return likeBefore(found, s.phrases[draw(len(s.phrases))])
		})
	}
	text = household.ReplaceAllStringFunc(text, func(found string) string {
		return likeBefore(found, owners[draw(len(owners))]+found[len("the"):])
	})
	text = afterI.ReplaceAllStringFunc(text, func(found string) string {
		if draw(100) >= 30 {
			return found
		}
		return found + habits[draw(len(habits))] + " "
	})
	text = joints.ReplaceAllStringFunc(text, func(found string) string {
		return found + joinedBy[draw(len(joinedBy))]
	})
	ended := strings.Split(text, ". ")
	for i, s := range ended {
		if draw(100) < 45 && !strings.ContainsAny(s, "?!") {
			bare := strings.TrimSuffix(s, ".")
			ended[i] = bare + ", " + tags[draw(len(tags))] + s[len(bare):]
		}
	}
	return strings.Join(ended, ". ")
}

// likeBefore returns a phrase with a capital where what it replaces has one. The word I keeps its own.
func likeBefore(before, phrase string) string {
	if phrase == "i" || strings.HasPrefix(phrase, "i ") || strings.HasPrefix(phrase, "i'") {
		phrase = "I" + phrase[1:]
	}
	phrase = strings.NewReplacer(" i ", " I ", " i've ", " I've ").Replace(phrase)
	if before[0] >= 'A' && before[0] <= 'Z' {
		return capital(phrase)
	}
	return phrase
}
