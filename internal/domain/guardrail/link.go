package guardrail

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An address counts wherever it stands, in quotes too, because what is shown can be typed. The same holds for an address that is
// spelled out, and for a number that identifies somebody, in digits of any script or in words.

// lastLabels holds the top-level domains that distinguish addresses from other words with a full stop; file names end otherwise.
// Those of two letters are countries.
const lastLabels = `com|org|net|info|biz|edu|gov|mil|int|name|mobi|asia|app|dev|page|web|site|online|shop|store|club|xyz|top|link|click|live|life|world|today|news|blog|cloud|space|
	website|tech|digital|agency|email|support|help|services|solutions|company|group|team|center|finance|bank|money|cash|loan|credit|insure|win|bid|vip|icu|fun|games|game|bet|
	casino|prize|promo|gift|gifts|sale|deals|discount|free|review|reviews|survey|study|science|academy|health|care|global|network|systems|media|social|chat|zone|one|pro|plus|
	direct|express|work|works|jobs|wiki|law|tax|dating|date|download|stream|video|movie|host|press|buzz|rocks|ninja|guru|city|berlin|koeln|paris|london|wien|nyc|tokyo|amsterdam|
	[a-z]{2}|рф|中国|中國|公司|网络|網絡|网址|我爱你|香港|台湾|台灣|みんな|コム|السعوديه|مصر|امارات|المغرب|كوم|موقع|شبكه`

// noAddresses matches two-letter endings of names that are no addresses: files, programs and abbreviations.
var noAddresses = regexp.MustCompile(`^(?:js|ts|py|md|rb|rs|cs|go|hs|kt|pl|ps|sh|vb|ui|db|gz|xz|7z|ai|cc|am|pm|uu|al|eg|ie)$`)

var (
	scheme       = regexp.MustCompile(`[a-z][a-z0-9+.-]*://|\bh..ps? ?:|(?:^|[^a-z0-9])www[ .]|\bmailto:|\]\(|[^\s@]+@[^\s@]+\.[\p{L}]{2,}|(?:^|[\s(:])@[\p{L}0-9_.]{3,}|\b\d{1,3}(?:\.\d{1,3}){3}\b`)
	dotted       = regexp.MustCompile(`([\p{L}\p{Nd}_-]+)((?:\.[\p{L}\p{Nd}_-]+)+)(\.?)([/:?#]?)`)
	spacedDomain = regexp.MustCompile(`[\p{L}\p{Nd}_-]{2,} ?(?:[\[({<] ?(?:\.|dot|punkt|punto|ponto|point|punt|ドット|点|點|نقطه|دوت) ?[\])}>]| \. ?|。) ?(` + unbroken(lastLabels) + `)(?:$|[^\p{L}\p{Nd}])`)
	endLabel     = regexp.MustCompile(`^(?:` + unbroken(lastLabels) + `)$`)
)

// unbroken removes the line breaks and spaces from a list.
func unbroken(list string) string { return strings.Join(strings.Fields(list), "") }

// addressIn finds the first address of a page or a person in a folded text, as it would be typed.
func addressIn(folded string) string {
	if found := scheme.FindString(folded); found != "" {
		return found
	}
	for _, m := range dotted.FindAllStringSubmatch(folded+" "+latinApart(folded), -1) {
		labels := strings.Split(m[1]+m[2], ".")
		last := labels[len(labels)-1]
		longest := 0
		for _, label := range labels[:len(labels)-1] {
			longest = max(longest, len([]rune(label)))
		}
		switch {
		case !endLabel.MatchString(last) || !strings.ContainsFunc(m[1]+m[2], unicode.IsLetter):
		case m[4] == "/" && len(last) > 1: // bit.ly/abc
			return m[0]
		case longest < 2 && last != "co" && last != "com": // z.B., e.g., S.p.A.
		case len(labels) == 2 && noAddresses.MatchString(last):
		default:
			return m[0]
		}
	}
	return strings.TrimSpace(spacedDomain.FindString(folded))
}

// latinApart puts spaces between Latin letters or digits and the letters of other scripts, which need none around an address.
func latinApart(folded string) string {
	var b strings.Builder
	var before rune
	for _, r := range folded {
		if unicode.IsLetter(before) && unicode.IsLetter(r) && unicode.Is(unicode.Latin, before) != unicode.Is(unicode.Latin, r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// fileName matches a name with the ending of a file.
var fileName = regexp.MustCompile(`(?i)[\p{L}\p{Nd}_-]+\.(?:pdf|docx?|xlsx?|pptx?|csv|txt|rtf|odt|jpe?g|png|gif|svg|webp|mp[34]|m4a|wav|mov|avi|zip|html?|json|xml|js|ts|py)\b`)

// Parts of a spelled-out address: the words for the full stop and the at sign. "de", "es", "in", "me" and "no" are words as
// well as domains, so that they count only after a second full stop, or at the end.
const (
	dotWords = `(?:dot|punkt|punto|ponto|point|punt|ドット|点|點|نقطه|دوت)`
	atWords  = `(?:at|aet|at[- ]?zeichen|arroba|arrobas|chiocciola|chiocciolina|apenstaartje|apestaartje|arobase|klammeraffe|klammeraffen|アットマーク|アット|艾特|圈a)`
)

var (
	spelled = regexp.MustCompile(`(?:^|[^\p{L}])[\p{L}\p{Nd}_-]+[ -]` + dotWords + `[ -](?:com|net|org|info|biz|gov|edu|app|shop|online|site|io|ly|gl|link|page|web|fr|it|nl|be|pt|br|uk|us|eu|ch|ru|pl|jp|cn|mx|ar|` +
		`\p{L}[\p{L}\p{Nd}_-]*[ -]` + dotWords + `[ -][\p{L}]{2,6}|[\p{L}]{2,6} (?:slash|schragstrich|barre oblique|barra|schuine streep|スラッシュ|斜杠))(?:$|[^\p{L}])`)
	spelledLast = regexp.MustCompile(`(?:^|[^\p{L}])[\p{L}\p{Nd}_-]+[ -]` + dotWords + `[ -](?:de|es|at|in|me|to|so|is|no|se|dk) ?(?:$|[.?!/])`)
	spelledEnd  = regexp.MustCompile(`[\p{L}\p{Nd}_-]+ ` + atWords + ` [\p{L}\p{Nd}_-]+ ` + dotWords + ` \p{L}{2,6}`)
	spelledAt   = regexp.MustCompile(`(?:^|[^\p{L}])(?:arroba|chiocciola|chiocciolina|apenstaartje|apestaartje|arobase|klammeraffe)(?: |$)|アットマーク|艾特`)
	spelledEast = regexp.MustCompile(`(?:ドット|[a-z0-9] ?[点點]|نقطه|دوت) ?(?:com|net|org|jp|cn|コム|ジェーピー|シーオー|ネット|كوم|نت|اورج|سا)|(?:点|點)(?:康姆|com|cn)`)
	articleDot  = regexp.MustCompile(`(?:^|[^\p{L}])(?:the|a|this|that|le|la|el|il|o|der|den|de|het)[ -]` + dotWords + `[ -]com `)
)

// spelledIn finds an address that is spelled out in a folded text.
func spelledIn(folded string) string {
	plain := articleDot.ReplaceAllString(strings.NewReplacer(",", " ", "  ", " ").Replace(folded), " ") // the dot-com years
	for _, shape := range []*regexp.Regexp{spelled, spelledLast, spelledEnd, spelledAt, spelledEast} {
		if found := shape.FindString(plain); found != "" {
			return strings.TrimSpace(found)
		}
	}
	return ""
}

// Numbers of people and accounts: nine digits or more in a row with separators between them, or seven digits that each stand
// apart.
var (
	digits  = regexp.MustCompile(`\+?\d(?:[\s()./・·•_*~|-]{0,3}\d){8,}`)
	singles = regexp.MustCompile(`\d(?: ?[,،、;・·•_*~|/-] ?\d){6,}(?:$|\D)`)
	grouped = regexp.MustCompile(`^[1-9]\d{0,2}(?:([ .'])\d{3})+$`)
	years   = regexp.MustCompile(`^(?:(?:19|20)\d\d[\s/-]*)+$`)
	dates   = regexp.MustCompile(`^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ -]+\d{1,4}[./-]\d{1,2}[./-]\d{1,4})?$`)
)

// numberIn finds such a number in a folded text. Grouped thousands, years and dates do not count.
func numberIn(folded string) string {
	for _, found := range digits.FindAllString(folded, -1) {
		found = strings.TrimSpace(found)
		thousands := grouped.MatchString(found) && strings.Count(found, " ") != 2
		if !thousands && !years.MatchString(found) && !dates.MatchString(found) {
			return found
		}
	}
	return singles.FindString(folded)
}

// numberWords holds the digits in words, with words for repeated digits, and the tens in which some languages say telephone
// numbers.
var numberWords = set(`zero oh nought naught one two three four five six seven eight nine double triple treble
	null eins zwo zwei drei vier funf sechs sieben acht neun doppel
	un deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante septante huitante nonante
	cero uno dos tres cuatro cinco seis siete ocho nueve doble
	um dois duas tres quatro sete oito nove meia
	due tre quattro cinque sei sette otto doppio
	nul een twee drie vijf zes zeven negen dubbel
	صفر واحد اثنان اثنين ثلاثه اربعه خمسه سته سبعه ثمانيه تسعه`)

// eastDigits matches sequences of the digits of Chinese and Japanese in words.
var eastDigits = regexp.MustCompile(`(?:(?:[〇零一二三四五六七八九幺两兩]|ゼロ|まる|いち|に|さん|よん|ご|ろく|なな|はち|きゅう)[\s,、，・·-]{0,2}){7,}`)

// minNumberWords is the number of successive digits in words from which on they may be a telephone number.
const minNumberWords = 6

// numberWordsIn finds a number of many digits that is written in words.
func numberWordsIn(folded string) string {
	if found := eastDigits.FindString(folded); found != "" {
		return found
	}
	var row []string
	for _, word := range strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if numberWords[word] || numberWords[strings.TrimPrefix(word, "و")] || len(word) == 1 && word[0] >= '0' && word[0] <= '9' {
			row = append(row, word)
			continue
		}
		if len(row) >= minNumberWords {
			break
		}
		row = row[:0]
	}
	if len(row) < minNumberWords {
		return ""
	}
	return strings.Join(row, " ")
}

// runOn matches a full stop without its space before a short word: "fine.We".
var runOn = regexp.MustCompile(`(\p{Ll})\.(\p{Lu}\p{Ll}?)($|\P{L})`)

// links finds addresses of pages and people, and numbers that identify somebody. The name of a site that the researcher wrote is
// allowed, as long as nothing follows it: a study of Booking.com may ask about Booking.com.
func (g *Guard) links(words string) []Violation {
	folded := fold(runOn.ReplaceAllString(words, "$1. $2$3"))
	for _, site := range g.sites {
		folded = without(folded, site)
	}
	for _, look := range []func(string) string{addressIn, spelledIn, numberIn, numberWordsIn} {
		if found := look(folded); found != "" {
			return []Violation{violation(Link, "“%s” looks like an address or a number; give none.", strings.TrimSpace(found))}
		}
	}
	return nil
}

// sitesIn returns the bare names of sites in texts.
func sitesIn(texts ...string) (sites []string) {
	for _, text := range texts {
		for _, m := range dotted.FindAllStringSubmatch(fold(text), -1) {
			sites = append(sites, m[1]+m[2])
		}
	}
	return sites
}

// without removes a name from a text where it is not a part of a longer name.
func without(text, name string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, name)
		if i < 0 {
			return b.String() + text
		}
		rest := text[i+len(name):]
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if standalone := !strings.ContainsRune("./@:_-", before) && !unicode.IsLetter(before) && !unicode.IsDigit(before) && ends(rest); standalone {
			b.WriteString(text[:i] + " ")
		} else {
			b.WriteString(text[:i+len(name)])
		}
		text = rest
	}
}

// ends reports whether a name ends before the rest of a text: a full stop or a colon may close a sentence.
func ends(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	if size == 0 || r == '.' || r == ':' {
		after, more := utf8.DecodeRuneInString(rest[size:])
		return more == 0 || after == ' '
	}
	return !strings.ContainsRune("/@_-#", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) && (r != '?' || len(rest) == 1 || rest[1] == ' ')
}
