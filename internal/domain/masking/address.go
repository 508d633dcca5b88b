package masking

import (
	"regexp"
	"slices"
	"strings"
)

// Words of the patterns of street addresses. A name is one or more words that begin with a capital letter, with the small words that
// stand between them.
const (
	capital  = `\p{Lu}[\p{L}'’.-]*`
	small    = `(?:de la|de los|de las|de l'|de|del|des|du|do|da|dos|das|di|della|delle|dei|degli|dell'|d'|la|le|les|los|las|el|san|van|van de|van den|van der|der|den|y|e)`
	houseNo  = `\d{1,5}(?:[a-zA-Z]\b| [A-H]\b)?(?: ?[-/] ?(?:\d{1,4}[a-zA-Z]?|[A-Z]\b))?`
	romance  = `(?:` + small + `[ ])*` + capital + `(?:[ ](?:` + small + `[ ])*` + capital + `){0,4}`
	cityTail = `(?:,? (?:[A-Z]{1,2}-)?\d{4,5}(?: ?[A-Z]{2}\b)?,? ` + capital + `(?:[ -](?:` + small + ` )?` + capital + `){0,2})?`
)

// streetShape is a pattern of street addresses, tried where one of the words stands. group is the part of it that is masked; fine, if
// not nil, decides about a match.
type streetShape struct {
	words []string
	shape func() *regexp.Regexp
	group int
	fine  func(f *folded, start, end int) bool
}

// Words for kinds of streets, lower case.
var (
	germanic = []string{"straße", "strasse", "str.", "weg", "platz", "gasse", "allee", "ring", "damm", "ufer", "chaussee", "stieg", "steig", "pfad", "promenade", "graben", "markt", "berg", "straat", "laan", "plein", "gracht", "kade", "dijk", "singel", "steeg", "dreef", "plantsoen"}
	english  = []string{"street", "st", "road", "rd", "avenue", "ave", "lane", "ln", "drive", "dr", "court", "ct", "close", "crescent", "boulevard", "blvd", "way", "place", "pl", "square", "sq", "terrace", "gardens", "grove", "hill", "row", "mews", "parade", "highway", "hwy", "parkway", "pkwy", "circle", "cir", "trail"}
	french   = []string{"rue", "avenue", "av.", "boulevard", "bd", "place", "allée", "impasse", "chemin", "route", "quai", "square", "passage", "sentier", "faubourg"}
	southern = []string{"calle", "c/", "avenida", "avda", "av.", "paseo", "plaza", "carrer", "camino", "carretera", "ronda", "travesía", "glorieta", "rua", "r.", "travessa", "praça", "alameda", "largo", "estrada", "rodovia", "via", "viale", "v.le", "piazza", "piazzale", "p.zza", "corso", "vicolo", "strada", "contrada", "rue", "avenue", "boulevard"}
	arabic   = []string{"شارع", "طريق", "ميدان", "حارة", "زقاق", "جادة", "نهج", "زنقة"}
	chinese  = []string{"号", "號", "弄"}
	japanese = []string{"丁目", "市", "区", "町", "村", "郡"}
)

// either returns a pattern of any of the words.
func either(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = regexp.QuoteMeta(word)
	}
	slices.SortFunc(quoted, func(a, b string) int { return len(b) - len(a) })
	return `(?i:` + strings.Join(quoted, "|") + `)`
}

const (
	tail  = `(?:,? ` + capital + `(?: ` + capital + `)?,? (?:[A-Z]{2} \d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}))?`
	japan = `(?:\p{Han}{2,3}[都道府県])?\p{Han}{1,6}[市区町村郡][\p{Han}\p{Hiragana}\p{Katakana}]{0,12}?`
)

var streetShapes = []streetShape{
	// German and Dutch: the kind of street is the end of its name, or its last word. The number follows.
	{germanic, lazy(`(?:(?:Am|An der|Im|Auf der|Zum|Zur|\p{Lu}\p{L}*(?:e|er|en|em)) ){0,2}\p{Lu}[\p{L}-]*` + either(germanic) + ` ?` + houseNo + cityTail), 0, germanicName},
	{germanic, lazy(`(?:\p{Lu}[\p{L}.-]* ){1,3}` + either(germanic) + ` ` + houseNo + cityTail), 0, germanicName},
	{[]string{"am ", "an d", "auf d", "im ", "in der", "zum ", "zur ", "unter den", "hinter der", "bei der", "vor dem"}, lazy(`\b(?:Am|An der|An den|Auf der|Auf dem|Im|In der|Zum|Zur|Unter den|Hinter der|Bei der|Vor dem) (?:` + capital + ` ?){1,3}` + houseNo + `,? (?:[A-Z]-)?\d{4,5} ` + capital), 0, nil},
	{[]string{"straße", "strasse", "straat", "gasse", "allee", "laan", "gracht", "plein"}, lazy(`\p{Ll}{3,}(?:straße|strasse|straat|gasse|allee|laan|gracht|plein) \d{1,4}[a-z]?\b`), 0, notCounted},
	{[]string{"laan ", "weg ", "plein ", "singel ", "kade "}, lazy(`\b(?:Laan|Weg|Plein|Singel|Kade) (?:van|der|den|de|het|'t|naar)(?: (?:de|den|der|het))? ` + capital + `(?: ` + capital + `)? ` + houseNo + cityTail), 0, notCounted},
	// English: the number stands before the name, the kind of street after it.
	{english, lazy(`\b(?:(?:[Ff]lat|[Aa]partment|[Aa]pt\.?|[Uu]nit|[Ss]uite) \d{1,4}[A-Za-z]?,? )?\d{1,5}[a-zA-Z]?,? (?:[NSEW]\.? )?(?:(?:\p{Lu}[\p{L}'’.-]*|\d{1,3}(?:st|nd|rd|th)) ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Close|Crescent|Boulevard|Blvd|Way|Place|Pl|Square|Sq|Terrace|Gardens|Grove|Hill|Row|Mews|Parade|Highway|Hwy|Parkway|Pkwy|Circle|Cir|Trail)\b\.?(?:,? (?:[Aa]pt\.?|#|[Uu]nit) ?\d{1,4}[A-Za-z]?)?` + tail), 0, nil},
	{[]string{"street", "road", "avenue", "boulevard", "crescent"}, lazy(`(?i)\b\d{1,5}[a-z]? (?:[a-z]{3,} ){1,2}(?:street|road|avenue|boulevard|crescent)\b`), 0, plainName},
	{[]string{"box", "postfach", "apartado", "postbus", "postale"}, lazy(`(?i)\bp\.? ?o\.? box \d{1,6}|\bpostfach \d[\d ]{1,7}|\bapartado (?:de correos )?\d{1,6}|\bpostbus \d{1,6}|\bboîte postale \d{1,6}`), 0, nil},
	{nil, lazy(`\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b|\b[A-CEGHJ-NPR-TVXY]\d[A-CEGHJ-NPR-TV-Z] \d[A-CEGHJ-NPR-TV-Z]\d\b`), 0, notMeasure}, // postcodes that name a street
	// French: number, kind, name.
	{french, lazy(`\b\d{1,4}(?: ?bis| ?ter| ?[A-D])?,? (?i:rue|avenue|av\.|boulevard|bd\.?|place|allées?|impasse|chemin|route|quai|square|passage|sentier|faubourg) ` + romance + cityTail), 0, notCounted},
	{french, lazy(`\b\d{1,4}(?: ?bis| ?ter)?,? (?i:rue|avenue|boulevard|impasse|allée|chemin) (?:de la |de l'|des |du |de |d')\p{L}{3,}(?:[ -]\p{Lu}[\p{L}-]+)*`), 0, nil},
	// Spanish, Portuguese, Italian: kind, name, number.
	{southern, lazy(`(?:^|[^\p{L}])(` + either(southern) + ` ?` + romance + `,? ?(?i:n[.º°]{0,2} ?|nº ?|número |numero |num\.? |núm\.? )?` + houseNo + cityTail + `)`), 1, notCounted},
	{[]string{"calle", "avenida", "rua", "travessa", "viale", "piazza", "via ", "corso", "vicolo"}, lazy(`(?i)\b(?:calle|avenida|rua|travessa|viale|piazza|via|corso|vicolo) (?:(?:de|del|de la|da|do|das|dos|della|dei|di) )?(?:\p{L}{4,} ){1,2}(?:n[.º°]{0,2} ?|nº ?|número |numero )?\d{1,4}\b`), 0, loweredName},
	// Arabic: kind, name, number, or the number of the house before the street.
	{arabic, lazy(either(arabic) + `(?: \p{Arabic}+){1,4}،? (?:رقم |مبنى |عمارة |بناية |بيت |منزل |شقة |فيلا )*\d{1,5}(?:،? (?:شقة|الدور|الطابق) \d{1,4})?`), 0, arabicName},
	{arabic, lazy(`(?:رقم |مبنى |عمارة |بناية |بيت |منزل |فيلا )?\d{1,5},?،? ` + either(arabic) + ` \p{Arabic}+(?: ال\p{Arabic}+)?`), 0, notCounted},
	{[]string{"ص", "صندوق"}, lazy(`(?:ص\.? ?ب\.?|صندوق بريد) ?:? ?\d{2,6}`), 0, nil},
	// Chinese and Japanese: from the larger to the smaller, without spaces.
	{chinese, lazy(`[\p{Han}0-9]{0,24}(?:路|街|道|巷|弄|胡同|段|村|里)[东西南北中]?[0-9零一二三四五六七八九十百]{1,5}(?:号|號|弄)(?:[0-9一二三四五六七八九十]{1,4}(?:号楼|栋|棟|幢|单元|單元|室|楼|樓|座|层|層|号|號)之?)*(?:[0-9]{3,4})?`), 0, nil},
	{japanese, lazy(`[\p{Han}\p{Hiragana}\p{Katakana}]{2,16}[0-9一二三四五六七八九十]{1,3}丁目(?:[0-9]{1,3}[番の-]?[地]?(?:[0-9]{1,4})?号?(?:[0-9]{1,4}号室)?)`), 0, nil},
	{japanese, lazy(japan + `[0-9]{1,4}(?:[-の][0-9]{1,4}){1,3}(?:号室?)?`), 0, nil},
	{japanese, lazy(japan + `[0-9]{1,4}(?:番地?|番)(?:の?[0-9]{1,4}号?)?`), 0, nil},
	{[]string{"〒"}, lazy(`〒 ?[0-9]{3}-?[0-9]{4}`), 0, nil},
	// Where the text says that an address follows.
	{nil, lazy(`(?:[Aa]ddress is|[Ll]ive at|[Ww]ohne (?:in der|im|am|an der|auf der)|[Aa]dresse ist|[Aa]dresse est|[Hh]abite(?: au)?|[Dd]irección es|[Vv]ivo en(?: la| el)?|[Ii]ndirizzo è|[Aa]bito in|[Mm]orada é|[Ee]ndereço é|[Mm]oro na|[Aa]dres is|[Ww]oon (?:in de|op de|aan de|in|op|aan)) ((?:` + capital + ` ){1,4}` + houseNo + cityTail + `)`), 1, notCounted},
}

// addresses finds street addresses, by the words for kinds of streets.
func addresses(f *folded) (spans []span) {
	for _, part := range f.near(isDigit) {
		spans = append(spans, f.addressesIn(part)...)
	}
	if strings.ContainsAny(f.text, "号號") && !strings.ContainsAny(f.text, "0123456789") {
		spans = append(spans, f.addressesIn(span{end: len(f.text)})...)
	}
	return spans
}

func (f *folded) addressesIn(part span) (spans []span) {
	text, lower := f.text[part.start:part.end], f.lower[part.start:part.end]
	for i := range streetShapes {
		s := &streetShapes[i]
		if !holdsAny(lower, s.words) {
			continue
		}
		for _, at := range s.shape().FindAllStringSubmatchIndex(text, -1) {
			start, end := part.start+at[2*s.group], part.start+at[2*s.group+1]
			start += lead(f.text[start:end])
			if s.fine == nil || s.fine(f, start, end) {
				spans = append(spans, span{start, end, Address})
			}
		}
	}
	return spans
}

// In scripts without spaces, a match may begin with words before the address: up to the last of leading before the first of places.
var (
	leading = regexp.MustCompile(`^.*(?:住在|位于|位於|地址|寄到|送到|送至|寄往|家在|搬到|搬去|就在|我在|住所は|自宅は|家は|在|是|到|了|は|が|を|に|で|へ|、)`)
	places  = regexp.MustCompile(`[都道府県省市区區县縣町村郡镇鎮乡鄉路街巷弄]`)
)

// lead returns how many bytes of a match are not part of the address.
func lead(match string) int {
	limit := len(match)
	if at := places.FindStringIndex(match); at != nil {
		limit = at[0]
	}
	if at := leading.FindStringIndex(match[:limit]); at != nil {
		return at[1]
	}
	return 0
}

// counted matches what follows a number that counts something, so that the number is not that of a house.
var counted = regexp.MustCompile(`^ ?(?:[%€$£]|[x×] ?\d|(?:times?|minutes?|mins?|hours?|days?|weeks?|months?|years?|people|miles|blocks|mal|uhr|minuten?|stunden?|tage?n?|wochen?|monaten?|jahren?|kilometer|meter|km|keer|uur|dagen|weken|maanden|jaar|fois|minutes?|heures?|jours?|semaines?|mois|ans|veces|horas?|minutos?|días?|dias?|semanas?|meses|años?|anos?|vezes|volte|ore|minuti|giorni|settimane|mesi|anni|euros?|grad|prozent|personen|مرات|مرة|دقائق|دقيقة|ساعات|ساعة|أيام|يوم|أسابيع|أشهر|سنوات|سنة|كم|ريال|متر)(?:$|[^\p{L}]))`)

func notCounted(f *folded, _, end int) bool { return !counted.MatchString(f.lower[end:]) }

// clearly matches words for kinds of streets that are hardly anything else. After others, as in "im Ring 3 Runden", a noun that
// follows the number is what it counts.
var (
	clearly = regexp.MustCompile(`straße|strasse|str\.|gasse|allee|damm|ufer|chaussee|straat|laan|plein|gracht|kade|singel`)
	noun    = regexp.MustCompile(`^ \p{Lu}\p{Ll}`)
	word    = regexp.MustCompile(`^ (?:\p{L}{5,}|\p{L}{3,}s(?:\P{L}|$))`)
)

func germanicName(f *folded, start, end int) bool {
	return notCounted(f, start, end) && (clearly.MatchString(f.lower[start:end]) || !noun.MatchString(f.text[end:]))
}

// functionWords matches words that no street of one or two small words is called.
var functionWords = regexp.MustCompile(`(?i) (?:the|and|for|from|with|that|this|was|are|our|their|minutes?|hours?|days?|years?|times|people|miles|meters?|lane|main|busy|different|more|other|blocks?|cars?|per|por|para|con|que|com|hace|desde|durante|pelo|menos|cada|ogni|circa|alle|dalle|solo|quasi|quase|casi|unos|email|mail|posta|entre|mais|más) `)

// arabicName also refuses names with a word that joins clauses.
func arabicName(f *folded, start, end int) bool {
	return notCounted(f, start, end) && !holdsAny(f.text[start:end], []string{" في ", " من ", " على ", " إلى ", " ثم ", " كل ", " منذ ", " لمدة ", " جدا "})
}

// notMeasure refuses what looks like a postcode and is a size: M2 8GB.
func notMeasure(f *folded, start, end int) bool {
	return !slices.Contains([]string{"kb", "mb", "gb", "tb", "hz", "mp", "xl"}, f.lower[max(start, end-2):end])
}

func plainName(f *folded, start, end int) bool {
	return !functionWords.MatchString(strings.ReplaceAll(" "+f.lower[start:end]+" ", " ", "  "))
}

func loweredName(f *folded, start, end int) bool {
	return plainName(f, start, end) && notCounted(f, start, end) && !word.MatchString(f.lower[end:])
}
