package statement

import (
	"slices"
	"strings"
	"sync"
)

// countWords holds the cardinal numbers of each language that are single words: those from 1 up in order, and then others with their
// value.
var countWords = map[string]struct {
	fromOne string
	others  string
}{
	"en": {"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty", "thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 hundred=100 thousand=1000 million=1000000 billion=1000000000 dozen=12 fortnight=2 pair=2 couple=2"},
	"de": {"eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig", "dreißig=30 dreissig=30 vierzig=40 fünfzig=50 sechzig=60 siebzig=70 achtzig=80 neunzig=90 hundert=100 tausend=1000 million=1000000 millionen=1000000 dutzend=12 zwo=2 beide=2 anderthalb=1.5 eineinhalb=1.5"},
	"fr": {"un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt", "trente=30 quarante=40 cinquante=50 soixante=60 septante=70 octante=80 huitante=80 nonante=90 cent=100 cents=100 mille=1000 million=1000000 millions=1000000 douzaine=12 dizaine=10 quinzaine=15 vingtaine=20 trentaine=30 quarantaine=40 cinquantaine=50 centaine=100 millier=1000 vingts=20 une=1"},
	"es": {"uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve treinta", "cuarenta=40 cincuenta=50 sesenta=60 setenta=70 ochenta=80 noventa=90 cien=100 ciento=100 doscientos=200 doscientas=200 trescientos=300 trescientas=300 cuatrocientos=400 quinientos=500 quinientas=500 seiscientos=600 setecientos=700 ochocientos=800 novecientos=900 mil=1000 millón=1000000 millones=1000000 docena=12 decena=10 veintena=20 centenar=100 par=2"},
	"it": {"uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti", "trenta=30 quaranta=40 cinquanta=50 sessanta=60 settanta=70 ottanta=80 novanta=90 cento=100 mille=1000 mila=1000 milione=1000000 milioni=1000000 dozzina=12 decina=10 ventina=20 trentina=30 centinaio=100 migliaio=1000 paio=2"},
	"pt": {"um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte", "duas=2 dezasseis=16 dezassete=17 dezanove=19 quatorze=14 trinta=30 quarenta=40 cinquenta=50 sessenta=60 setenta=70 oitenta=80 noventa=90 cem=100 cento=100 duzentos=200 duzentas=200 trezentos=300 quatrocentos=400 quinhentos=500 seiscentos=600 setecentos=700 oitocentos=800 novecentos=900 mil=1000 milhão=1000000 milhões=1000000 dúzia=12 dezena=10 centena=100 par=2"},
	"nl": {"een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig", "dertig=30 veertig=40 vijftig=50 zestig=60 zeventig=70 tachtig=80 negentig=90 honderd=100 duizend=1000 miljoen=1000000 dozijn=12 tiental=10 twintigtal=20 honderdtal=100 paar=2 anderhalf=1.5 anderhalve=1.5"},
	"ar": {"واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة", "واحدة=1 اثنين=2 اثنتان=2 اثنتين=2 ثلاث=3 أربع=4 خمس=5 ست=6 سبع=7 ثماني=8 ثمان=8 تسع=9 عشر=10 عشرون=20 عشرين=20 ثلاثون=30 ثلاثين=30 أربعون=40 أربعين=40 خمسون=50 خمسين=50 ستون=60 ستين=60 سبعون=70 سبعين=70 ثمانون=80 ثمانين=80 تسعون=90 تسعين=90 مئة=100 مائة=100 مئتان=200 مئتين=200 مائتين=200 ثلاثمئة=300 خمسمئة=500 ألف=1000 آلاف=1000 ألفين=2000 ألفان=2000 مليون=1000000"},
}

// ordinalWords holds the ordinals from the second up.
var ordinalWords = map[string]string{
	"en": "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth",
	"de": "zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft",
	"fr": "deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième",
	"es": "segund tercer cuart quint sext séptim octav noven décim",
	"it": "second terz quart quint sest settim ottav non decim",
	"pt": "segund terceir quart quint sext sétim oitav non décim",
	"nl": "tweede derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde",
	"ar": "الثاني الثالث الرابع الخامس السادس السابع الثامن التاسع العاشر",
}

// fractionWords and multipleWords have their values; vagueWords the least that they can mean.
var (
	fractionWords = map[string]string{
		"en": "half=0.5 halves=0.5 halved=0.5 thirds=0.333333333333333 quarter=0.25 quarters=0.25 fifths=0.2 sixths=0.166666666666667 eighths=0.125 tenths=0.1",
		"de": "halb=0.5 halbe=0.5 halben=0.5 halbes=0.5 halber=0.5 hälfte=0.5 drittel=0.333333333333333 viertel=0.25 fünftel=0.2 zehntel=0.1",
		"fr": "moitié=0.5 demi=0.5 demie=0.5 tiers=0.333333333333333 quart=0.25 quarts=0.25 cinquième=0.2 dixième=0.1",
		"es": "mitad=0.5 medio=0.5 media=0.5 tercio=0.333333333333333 tercios=0.333333333333333 cuarto=0.25 cuartos=0.25 quinto=0.2 décimo=0.1",
		"it": "metà=0.5 mezzo=0.5 mezza=0.5 terzo=0.333333333333333 terzi=0.333333333333333 quarto=0.25 quarti=0.25 quinto=0.2",
		"pt": "metade=0.5 meio=0.5 meia=0.5 terço=0.333333333333333 terços=0.333333333333333 quarto=0.25 quartos=0.25 quinto=0.2",
		"nl": "helft=0.5 half=0.5 halve=0.5 derde=0.333333333333333 kwart=0.25 vijfde=0.2 tiende=0.1",
		"ar": "نصف=0.5 النصف=0.5 ثلث=0.333333333333333 ثلثي=0.666666666666667 ربع=0.25 الربع=0.25 ربعا=0.25 نصفا=0.5",
	}
	multipleWords = map[string]string{
		"en": "twice=2 thrice=3 double=2 doubled=2 doubles=2 doubling=2 triple=3 tripled=3 triples=3 quadruple=4 quadrupled=4 twofold=2 threefold=3 tenfold=10",
		"de": "zweimal=2 dreimal=3 viermal=4 fünfmal=5 sechsmal=6 siebenmal=7 achtmal=8 zehnmal=10 doppelt=2 doppelte=2 doppelten=2 verdoppelt=2 verdoppeln=2 dreifach=3 dreifache=3 zigmal=20",
		"fr": "double=2 doubler=2 doublé=2 triple=3 tripler=3 triplé=3", "es": "doble=2 duplicar=2 duplicó=2 triple=3 triplicar=3",
		"it": "doppio=2 doppia=2 raddoppiare=2 raddoppiato=2 triplo=3", "pt": "dobro=2 duplo=2 dobrar=2 dobrou=2 triplo=3",
		"nl": "tweemaal=2 driemaal=3 dubbel=2 dubbele=2 verdubbeld=2 driedubbel=3", "ar": "مرتين=2 مرتان=2 ضعف=2 أضعاف=3 ساعتين=2 ساعتان=2 يومين=2 يومان=2 دقيقتين=2 أسبوعين=2 شهرين=2 شهران=2 سنتين=2 سنتان=2 عامين=2",
	}
	vagueWords = map[string]string{
		"en": "dozens=24 scores=40 hundreds=200 thousands=2000 millions=2000000 tens=20 umpteen=20",
		"de": "dutzende=24 dutzenden=24 hunderte=200 hunderten=200 tausende=2000 tausenden=2000", "fr": "dizaines=20 douzaines=24 centaines=200 milliers=2000",
		"es": "decenas=20 docenas=24 centenares=200 cientos=200 miles=2000", "it": "decine=20 dozzine=24 centinaia=200 migliaia=2000",
		"pt": "dezenas=20 dúzias=24 centenas=200 milhares=2000", "nl": "tientallen=20 dozijnen=24 honderden=200 duizenden=2000", "ar": "عشرات=20 مئات=200 آلاف=2000",
	}
)

// meaning holds the values of a number word.
type meaning struct {
	value    float64
	cardinal bool
	ordinal  float64
	fraction float64
	multiple float64
	least    float64
}

// numberWords returns the cardinals of a language, and meanings all its number words.
func numberWords(language string) map[string]float64 {
	if w := readWords()[language]; w != nil {
		return w.cardinals
	}
	return nil
}

type numberTable struct {
	cardinals map[string]float64
	all       map[string]*meaning
}

var readWords = sync.OnceValue(func() map[string]*numberTable {
	tables := map[string]*numberTable{}
	for language, words := range countWords {
		t := &numberTable{cardinals: map[string]float64{}, all: map[string]*meaning{}}
		tables[language] = t
		of := func(form string) *meaning {
			form = fold(form)
			if t.all[form] == nil {
				t.all[form] = &meaning{}
			}
			return t.all[form]
		}
		cardinal := func(form string, value float64) {
			t.cardinals[fold(form)] = value
			m := of(form)
			m.value, m.cardinal = value, true
		}
		for i, form := range strings.Fields(words.fromOne) {
			if !strings.Contains(form, "-") {
				cardinal(form, float64(i+1))
			}
		}
		each(words.others, cardinal)
		compounds(language, strings.Fields(words.fromOne), cardinal)
		for i, form := range strings.Fields(ordinalWords[language]) {
			for _, ending := range ordinalEndings[language] {
				of(form + ending).ordinal = float64(i + 2)
			}
		}
		each(fractionWords[language], func(form string, v float64) { of(form).fraction = v })
		each(multipleWords[language], func(form string, v float64) { of(form).multiple = v })
		each(vagueWords[language], func(form string, v float64) { of(form).least = v })
	}
	for form, value := range map[string]float64{"third": 1.0 / 3, "fourth": .25, "fifth": .2, "sixth": 1.0 / 6, "seventh": 1.0 / 7, "eighth": .125, "ninth": 1.0 / 9, "tenth": .1} {
		tables["en"].all[form].fraction = value
	}
	delete(tables["de"].all, "acht") // an ordinal only with its ending; the cardinal follows
	tables["de"].all["acht"] = &meaning{value: 8, cardinal: true}
	return tables
})

// ordinalEndings are the endings of ordinals.
var ordinalEndings = map[string][]string{
	"en": {""}, "de": {"e", "er", "en", "es", "em", "ens"}, "fr": {"", "s"}, "es": {"o", "a", "os", "as"}, "it": {"o", "a", "i", "e"}, "pt": {"o", "a", "os", "as"}, "nl": {""}, "ar": {"", "ة"},
}

// each calls a function for each word=value of a list.
func each(list string, do func(form string, value float64)) {
	for pair := range strings.FieldsSeq(list) {
		form, value, _ := strings.Cut(pair, "=")
		v, _ := parseFigures(value)
		if form == "es" || form == "" {
			continue
		}
		do(form, v)
	}
}

// compounds adds the numbers up to 999 that are written as one word.
func compounds(language string, fromOne []string, add func(form string, value float64)) {
	var tens []string
	var join func(unit, ten string) string
	ones := fromOne[:9]
	hundred := ""
	switch language {
	case "de":
		tens, hundred = strings.Fields("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"), "hundert"
		ones = slices.Concat([]string{"ein"}, ones[1:])
		join = func(unit, ten string) string { return unit + "und" + ten }
		for i, unit := range ones {
			add(unit+"einhalb", float64(i+1)+.5)
		}
	case "nl":
		tens, hundred = strings.Fields("twintig dertig veertig vijftig zestig zeventig tachtig negentig"), "honderd"
		join = func(unit, ten string) string {
			if strings.HasSuffix(unit, "e") {
				return unit + "ën" + ten
			}
			return unit + "en" + ten
		}
	case "it":
		tens, hundred = strings.Fields("venti trenta quaranta cinquanta sessanta settanta ottanta novanta"), "cento"
		join = func(unit, ten string) string {
			if strings.ContainsAny(unit[:1], "uo") {
				ten = ten[:len(ten)-1]
			}
			return ten + unit
		}
	default:
		return
	}
	small := map[string]float64{}
	for i, form := range fromOne[:19] {
		small[form] = float64(i + 1)
	}
	for t, ten := range tens {
		small[ten] = float64(20 + 10*t)
		for i, unit := range ones {
			small[join(unit, ten)] = float64(20 + 10*t + i + 1)
		}
	}
	for form, value := range small {
		add(form, value)
	}
	for h, unit := range ones {
		prefix := unit + hundred
		if h == 0 {
			prefix = hundred
			if language == "de" {
				add("einhundert", 100)
			}
		}
		add(prefix, float64(100*(h+1)))
		for form, value := range small {
			add(prefix+form, float64(100*(h+1))+value)
		}
	}
}

// inWords reads a number that is written in words.
func (p *numberReader) inWords(i int) (n number, next int) {
	table := readWords()[p.language]
	if table == nil {
		return n, i
	}
	m := p.meaningAt(table, i)
	switch {
	case m == nil:
		return n, i
	case m.cardinal:
		return p.cardinal(table, i)
	case m.least > 0:
		return number{least: m.least}, i + 1
	case m.multiple > 0:
		n = number{values: []float64{m.multiple}, unit: dual(p.words[i].form)}
		if half, ok := p.addedArabic(table, i+1); ok {
			n.values[0] += half
			return n, i + 2
		}
		return n, i + 1
	}
	n = p.part(m, i)
	if half, ok := p.addedArabic(table, i+1); ok && m.ordinal > 0 { // the seventh and a half: half past seven
		n.values, n.unit = []float64{m.ordinal + half}, clockUnit
		return n, i + 2
	}
	return n, i + 1
}

// meaningAt looks a word up. Arabic writes "and" with the next word; German and Dutch write thousands as one word.
func (p *numberReader) meaningAt(table *numberTable, i int) *meaning {
	form := p.words[i].form
	if m := table.all[form]; m != nil {
		if form == "quarter" && i > 0 && slices.Contains([]string{"each", "every", "per", "this", "last", "next"}, p.words[i-1].form) {
			return nil // of a year
		}
		if p.language == "en" && form == "second" && i+1 < len(p.words) && p.words[i+1].form == "hand" {
			return nil
		}
		return m
	}
	if p.language == "ar" {
		if rest, found := strings.CutPrefix(form, "و"); found {
			return p.meaningArabic(table, rest)
		}
		return p.meaningArabic(table, form)
	}
	for _, thousand := range []string{"tausend", "duizend", "mila", "mille"} {
		before, after, found := strings.Cut(form, thousand)
		if !found || before == "" && after == "" {
			continue
		}
		high, low := 1.0, 0.0
		if before != "" {
			if high = table.cardinals[before]; before == "ein" || before == "een" {
				high = 1
			}
		}
		if after != "" {
			low = table.cardinals[after]
		}
		if high > 0 && (after == "" || low > 0) {
			return &meaning{value: high*1000 + low, cardinal: true}
		}
	}
	return nil
}

// meaningArabic looks a word up with and without the ending of its case.
func (p *numberReader) meaningArabic(table *numberTable, form string) *meaning {
	if m := table.all[form]; m != nil {
		return m
	}
	return table.all[strings.TrimSuffix(form, "ا")]
}

// part reads a fraction or an ordinal that stands alone.
func (p *numberReader) part(m *meaning, i int) (n number) {
	before, behind := "", ""
	if i > 0 {
		before = p.words[i-1].form
	}
	if i+1 < len(p.words) {
		behind = p.words[i+1].form
	}
	isPart := slices.Contains([]string{"a", "one", "un", "une", "una", "ein", "eine", "einen", "um", "een"}, before) || slices.Contains([]string{"of", "de", "d'", "di", "van", "der", "des"}, behind)
	if m.fraction > 0 && (m.ordinal == 0 || isPart || !slices.Contains([]string{"the", "his", "her", "their", "its"}, before)) {
		n.values = append(n.values, m.fraction)
	}
	if m.ordinal > 0 && (m.fraction == 0 || !isPart) {
		n.values = append(n.values, m.ordinal)
	}
	return n
}

// cardinal reads a sequence of cardinals: two hundred and five, vingt et un, quatre-vingt-dix, خمسة وعشرون.
func (p *numberReader) cardinal(table *numberTable, i int) (n number, next int) {
	var total, current float64
	begin := i
	for next = i; next < len(p.words); next++ {
		m := p.meaningAt(table, next)
		and := slices.Contains([]string{"and", "et", "y", "e", "en", "und"}, p.words[next].form) && next > begin && (p.language != "en" || current >= 100 || total > 0) && (current >= 20 || total > 0)
		if and && next+1 < len(p.words) {
			if following := p.meaningAt(table, next+1); following != nil && following.cardinal && following.value < 100 && (current >= 100 && math100(current) == 0 || math10(current) == 0 && following.value < 10 || current == 0) {
				continue
			}
		}
		if m == nil || !m.cardinal || next > begin && !p.adjacent(next) {
			break
		}
		v := m.value
		switch {
		case next == begin:
			current = v
		case v == 100 && current > 0 && current < 100:
			current *= 100
		case v >= 1000:
			total, current = total+max(current, 1)*v, 0
		case current == 4 && v == 20 && p.language == "fr":
			current = 80
		case current == 0 || math100(current) == 0 && v < 100 && current >= 100:
			current += v
		case (current == 60 || current == 80 || current > 100 && (math100(current) == 60 || math100(current) == 80)) && v < 20 && p.language == "fr":
			current += v
		case math10(current) == 0 && current >= 20 && v < 10, p.language == "ar" && current < 10 && v >= 10 && v < 100, v == 12 && p.words[next].form == "dozen":
			if p.words[next].form == "dozen" {
				current *= 12
			} else {
				current += v
			}
		default:
			goto done
		}
	}
done:
	n.values = []float64{total + current}
	return p.fraction(table, n, begin, next)
}

func math100(v float64) float64 { return float64(int(v) % 100) }
func math10(v float64) float64  { return float64(int(v) % 10) }

// adjacent reports whether only a space or a hyphen stands before a word.
func (p *numberReader) adjacent(i int) bool {
	between := p.text[min(p.words[i-1].end, p.words[i].start):p.words[i].start]
	return strings.Trim(between, " -‐‑\u00a0") == ""
}

// fraction reads what makes a fraction of a cardinal: two thirds, two and a half. One alone is an article, and no number.
func (p *numberReader) fraction(table *numberTable, n number, begin, next int) (number, int) {
	if next < len(p.words) && p.adjacent(next) {
		if m := p.meaningAt(table, next); m != nil && m.fraction > 0 && !m.cardinal && p.language != "ar" {
			n.values[0] *= m.fraction
			return n, next + 1
		}
	}
	words := padded(p.words[next:min(next+3, len(p.words))])
	for _, half := range halves {
		if strings.HasPrefix(words, half) {
			n.values[0] += .5
			return n, next + len(strings.Fields(half))
		}
	}
	if p.language == "ar" {
		if half, ok := p.addedArabic(table, next); ok {
			n.values[0] += half
			return n, next + 1
		}
	}
	if n.values[0] == 1 {
		return n, begin
	}
	return n, next
}

// halves add a half to what was counted.
var halves = []string{" and a half ", " et demi ", " et demie ", " y medio ", " y media ", " e mezzo ", " e mezza ", " e meio ", " e meia ", " en een half "}

// addedArabic returns the fraction that a word adds with "and".
func (p *numberReader) addedArabic(table *numberTable, i int) (float64, bool) {
	if p.language != "ar" || i >= len(p.words) {
		return 0, false
	}
	rest, found := strings.CutPrefix(p.words[i].form, "و")
	if m := table.all[rest]; found && m != nil && m.fraction > 0 {
		return m.fraction, true
	}
	return 0, false
}
