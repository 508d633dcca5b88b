package statement

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// introducing are words that a person's name follows.
var introducing = wordSet(`called named mr mrs ms miss dr prof professor sir madam heißt namens herr frau doktor monsieur madame mademoiselle appelé appelée señor señora
	don doña llamado llamada signor signora chiamato chiamata senhor senhora dona chamado chamada meneer mevrouw genaamd`)

// notNames may stand before a capital letter that begins the name of a place, a brand, a day or a work.
var notNames = wordSet(`in at near to from by on around via until before after since through into of for the a an this that these our my your his her their with use used uses using
	watch watched watching buy bought get got have had like love tried try drive open opened visit visited about called than and or
	à en au aux de du des d' dans par chez pour le la les l' un une ce cette sur
	el los las del al con por para un una su mi
	il lo gli di da nel nella sul per con
	o os no na do da em
	het te op naar bij uit van`)

// calendar has capitals and names nobody.
var calendar = wordSet(`monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
	mondays tuesdays wednesdays thursdays fridays saturdays sundays english german french spanish italian dutch polish chinese japanese arabic portuguese christmas easter i ok tv god internet`)

// articles stand before what is no name; personal begin what is said of somebody who was just named, and owners what they are to the
// participant.
var (
	articles = wordSet(`the a an der die das den dem ein eine le la les un une el los las una il lo gli o os as um uma de het een`)
	personal = wordSet(`he she whose il elle él ella lui lei ele ela hij who`)
	owners   = wordSet(`my our the a whose mein meine unser unsere mon ma notre mi nuestro nuestra il mio la meu minha mijn onze`)
)

// thirdPerson reports whether a verb in the third person stands behind a name, with at most an adverb between: "Neil only comes".
func thirdPerson(all []word, i int, text string) bool {
	for j := i + 1; j < len(all) && j <= i+2; j++ {
		if strings.Trim(text[all[j-1].end:all[j].start], " ") != "" || all[j].upper {
			return false
		}
		if form := all[j].form; len(form) > 3 && strings.HasSuffix(form, "s") && !strings.HasSuffix(form, "ss") && !functionOf("en")[form] {
			return true
		}
	}
	return false
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for form := range strings.FieldsSeq(list) {
		set[fold(form)] = true
	}
	return set
}

// peopleOf returns the names of people in a text, folded: those that its words show to be names of people, and, where nouns have small
// letters, other names that could be.
func peopleOf(text string, l *lexicon) map[string]bool {
	found := map[string]bool{}
	if l.dense() {
		for _, match := range denseName.FindAllStringSubmatch(text, -1) {
			found[match[1]+match[2]] = true
		}
		for _, kin := range l.words[wordKin] {
			for _, match := range denseCalled.FindAllStringSubmatch(text, -1) {
				if strings.HasSuffix(match[1], kin) {
					found[match[2]] = true
				}
			}
		}
		return found
	}
	all := wordsOf(text)
	for i, w := range all {
		gap := ""
		if i > 0 {
			gap = text[all[i-1].end:w.start]
		}
		starts := i == 0 || strings.ContainsAny(gap, ends+":")
		if l.code == "ar" {
			if i > 0 && l.is(wordKin, all[i-1].form) && i+1 < len(all) && strings.ContainsAny(text[w.end:all[i+1].start], pauses+ends) {
				found[w.form] = true
			}
			if i > 0 && i+1 < len(all) && strings.HasSuffix(all[i-1].form, "ي") && l.is(wordKin, all[i-1].form) && !functionOf("ar")[w.form] && !startsVerb(w.form) && startsVerb(all[i+1].form) {
				found[w.form] = true // my sister Huda orders
			}
			continue
		}
		if !w.upper || calendar[w.form] || l.is(wordKin, w.form) || l.is(wordStaff, w.form) || l.is(wordI, w.form) {
			continue
		}
		next := word{}
		if i+1 < len(all) {
			next = all[i+1]
		}
		behind := text[w.end:max(w.end, next.start)]
		article := i > 0 && articles[all[i-1].form]
		says := !(article && l.code == "de") && next.form != "" && strings.Trim(behind, " ") == "" && (l.is(wordSays, next.form) || l.is(wordSaid, next.form))
		introduced := i > 0 && !starts && strings.Trim(gap, " .") == "" && (l.is(wordKin, all[i-1].form) || l.is(wordStaff, all[i-1].form) || introducing[all[i-1].form])
		verb := next.form != "" && !next.upper && strings.Trim(behind, " ") == "" && (strings.HasSuffix(next.form, "ed") || slices.Contains([]string{"is", "was", "has", "had", "will"}, next.form))
		acts := verb && l.code == "en" && !starts && !slices.Contains([]string{"the", "a", "an", "in", "at", "near", "from", "to", "this"}, all[i-1].form)
		called := i > 1 && article && strings.Trim(gap, " ") == "" && strings.ContainsAny(text[all[i-2].end:all[i-1].start], ",") && (l.is(wordKin, all[i-2].form) || l.is(wordStaff, all[i-2].form))
		followed := !article && strings.HasPrefix(behind, ",") && (personal[next.form] || i > 0 && strings.Contains(gap, ",") && owners[next.form])
		does := l.code == "en" && i > 0 && !starts && !article && strings.Trim(gap, " ") == "" && l.is(wordBreak, all[i-1].form) && thirdPerson(all, i, text)
		explained := l.code != "de" && strings.HasPrefix(strings.TrimSpace(behind), ",") && slices.ContainsFunc(all[min(i+2, len(all)):min(i+3, len(all))], func(w word) bool { return l.is(wordKin, w.form) || l.is(wordStaff, w.form) })
		apposed := i > 0 && strings.Contains(gap, ",") && strings.ContainsAny(behind, ",.") && slices.ContainsFunc(all[max(0, i-7):i], func(w word) bool { return l.is(wordKin, w.form) || l.is(wordStaff, w.form) })
		resumed := strings.ContainsAny(behind, ".!?;,") && slices.ContainsFunc(all[min(i+1, len(all)):min(i+4, len(all))], func(w word) bool { return l.sets[wordHe][w.form] && w.upper })
		if says || introduced || apposed || resumed || acts || explained || called || followed || does {
			if !says || !starts || !l.is(wordIt, w.form) && !l.is(wordHe, w.form) && !strings.Contains(padded(all[:i]), " "+w.form+" ") {
				found[w.form] = true
			}
			continue
		}
		if l.code != "de" && !starts && !notNames[all[i-1].form] && strings.Trim(gap, " ") == "" && !all[i-1].upper {
			found[w.form] = true
		}
	}
	for name := range found {
		if len([]rune(name)) < 2 || strings.ContainsFunc(name, unicode.IsDigit) || l.code != "ar" && slices.ContainsFunc(all, func(w word) bool { return w.form == name && !w.upper }) {
			delete(found, name)
		}
	}
	return found
}

// denseCalled matches what may be a person's name of which something was said: the husband's, the name, and "said" or "thought".
var denseCalled = regexp.MustCompile(`(\p{Han}{1,3})の([\p{Han}\p{Katakana}]{2,4})(?:は|が|も)[^。]*?(?:と言|と思|って言)`)

// startsVerb reports whether a word of Arabic begins as a verb in the present does.
func startsVerb(form string) bool {
	return strings.HasPrefix(form, "ت") || strings.HasPrefix(form, "ي")
}

// denseName matches names in scripts without spaces: behind a person, or before a title.
var denseName = regexp.MustCompile(`(?:友だち|友達|友人|同僚|姉|妹|兄|弟|息子|娘|上司|朋友|同事|妹妹|弟弟|邻居)(?:の|叫)?([\p{Han}\p{Katakana}]{2,4})(?:に|が|は|を|も|と|说|，)|([\p{Han}\p{Katakana}]{2,4})(?:さん|先生|女士)`)

// insults judge a person, whoever says so.
var insults = regexp.MustCompile(`(?i)\b(?:lazy|stupid|dumb|idiots?|idiotic|morons?|moronic|miser(?:ly)?|stingy|cheapskates?|tight-?fisted|penny[- ]pinch\w*|skinflints?|freeload\w*|scroung\w*|spong(?:er|ing)|whin(?:y|er|ers|ing|ge\w*)|moan(?:er|ers|ing|y)|complain(?:er|ers)|grumbl(?:er|y)|nag(?:ging|ger)?|grump(?:y|s)?|bitter|stubborn|pig-?headed|obstinate|naive|naïve|gullible|clueless|ignorant|incompetent|hysterical|crazy|insane|mad|nuts|psycho\w*|lunatics?|weirdos?|losers?|failures?|coward(?:ly|s)?|spineless|weak-?willed|selfish|self-?cent(?:er|re)d|egotistic\w*|egoist\w*|narcissist\w*|arrogant|snob(?:s|bish|by)?|vain|greedy|greed|control freaks?|control-?freak\w*|neurotic\w*|paranoid|paranoia|obsessive|obsessed|fussy|fussbudget|picky|prudish|prude|guilt-ridden|absent (?:father|mother|parent|dad|mum|mom)|bad (?:father|mother|parent|mum|mom|dad)|negligent|neglectful|irresponsible|reckless|careless|sloppy|slob|messy|immature|childish|infantile|spoil(?:t|ed)|entitled|pathetic|pitiful|hopeless|useless|worthless|hypocrit\w*|liars?|lying|dishonest|cheat(?:er|s)?|crooks?|fraudsters?|thie(?:f|ves)|parasit\w*|bums?|layabouts?|slackers?|workshy|work-shy|do-nothing|busybody|busybodies|gossip\w*|drama queens?|karens?|luddites?|dinosaurs?|technophob\w*|backward|narrow-?minded|small-?minded|bigot\w*|racist|sexist|ugly|fat|simple-?minded|slow-?witted|dim-?witted|dense|uneducated|illiterate|boring|know-?it-?alls?|pushover|doormat|victim mentality|self-?pity\w*|disorgani[sz]ed mess|hoarder|spendthrift|shopaholic\w*|workaholic\w*|couch potato\w*|hag|old git|crank|curmudgeon\w*|helpless|feeble|needy|clingy|bossy|domineering|overbearing|overprotective|henpecked|petty|spiteful|vindictive|rude|aggressive|hot-?headed|unstable|difficult (?:customer|person|client)|nuisance|militants?|fanatic\w*|radicals?|extremists?|zealots?|faul\w*|geizig\w*|geizhals|geizkragen|dumm\w*|stur\w*|naiv\w*|paresseu\w*|radin\w*|avare|stupide|têtu\w*|naïf|perezos\w*|tacañ\w*|vago|vaga|tont\w*|pigr\w*|avar\w*|tirch\w*|stupid\w*|preguiços\w*|avarent\w*|burr\w*|lui(?:e|ig)\w*|gierig\w*|dom(?:me)?|koppig\w*)\b|懒|懶|吝啬|吝嗇|小气|愚蠢|笨蛋|怠け|ケチ|馬鹿|バカ|كسول|بخيل|غبي`)

// diagnoses name an illness or a disorder of body or mind.
var diagnoses = regexp.MustCompile(`(?i)\b(?:\w*(?:phobi[ac]s?|phobie|fobia|itis|osis|aemia|emia|paranoia|mania|maniac|holics?|holism|pathy|plegia|trophy|sclerosis)|hypochondri\w*|disorders?|syndromes?|depress(?:ion|ive|ed)|depressi\w*|anxious personality|anxiety(?: \w+)?|panic attacks?|burn-?out|burned out|burnt out|ptsd|trauma(?:ti[sz]ed)?|adhd|add|ocd|obsessive[- ]compulsive|autis\w*|asperger\w*|dyslexi\w*|dyspraxi\w*|bipolar|schizo\w*|borderline|psychosis|psychotic|dementia|alzheimer\w*|senil\w*|parkinson\w*|diabet\w*|cancer\w*|tumou?rs?|asthma\w*|allerg(?:y|ies|ic)|eczema|psoriasis|rosacea|acne|migraines?|epilep\w*|stroke|hypertension|insomni\w*|addict\w*|alcohol(?:ic|ism|ics)|drug abuse|substance abuse|eating disorder|anorexi\w*|bulimi\w*|obes(?:e|ity)|infertil\w*|menopaus\w*|hiv|covid\w*|mental(?:ly)? (?:ill\w*|health)|cognitive (?:decline|impairment)|learning disabilit\w*|neurodiver\w*|compulsive|clinical\w*|patholog\w*|chronic(?:ally)? \w+|symptoms? of|suffers from|diagnos\w*|krankheit|störung|sucht|süchtig\w*|dépressi\w*|trouble anxieux|maladie|depresi\w*|trastorno|enfermedad|depressione|disturbo|doença|transtorno|stoornis|ziekte|verslaafd)\b|うつ|障害|依存症|抑郁|抑鬱|焦虑症|اكتئاب|اضطراب`)

// traits name what a law protects: origin, belief, age, sex, disability, family, class and politics.
var traits = regexp.MustCompile(`(?i)\b(?:(?:im|em)?migrants?|immigration background|migrant background|migration background|refugees?|asylum seekers?|foreign(?:er|ers|-born|-looking)?|expat\w*|native[- ]born|non-native|ethnic\w*|race|racial|black|white|brown|asian|african|caucasian|latin[oax]s?|hispanic|arabs?|arabic|indian|gyps(?:y|ies)|roma|muslims?|islam\w*|moslem|christians?|catholics?|protestants?|jews?|jewish|hindus?|buddhists?|sikhs?|atheists?|religious|devout|pious|believer|church-?go\w*|elderly|aged|ageing|aging|old|older|young|younger|youthful|senior|seniors|senior citizens?|pensioners?|retire(?:d|es?)|teen\w*|millennials?|boomers?|gen[- ]?[xyz]|middle-?aged|twenty-?something|thirty-?something|in (?:his|her|their) (?:twenties|thirties|forties|fifties|sixties|seventies)|man|men|woman|women|male|males|female|females|gentleman|lady|ladies|girl|girls|boy|boys|guy|housewi\w+|househusband|spinster|bachelor|gay|lesbian|homosexual|heterosexual|straight|bisexual|queer|trans(?:gender|sexual)?|disab\w+|handicap\w*|cripple\w*|blind|deaf|wheelchair\w*|pregnan\w*|childless|infertile|widow\w*|divorc\w*|single (?:mother|father|parent|mum|mom|dad|woman|man)|unmarried|poor|poverty|low[- ]income|rich|wealthy|working[- ]class|lower[- ]class|upper[- ]class|middle[- ]class|benefits? (?:claimant|recipient)|jobless|unemployed|homeless|left-?wing\w*|right-?wing\w*|conservative|liberal|socialist|communist|populist|nationalist|union member|polish|polnisch\w*|german|french|spanish|italian|dutch|british|english|american|chinese|japanese|turkish|turk|syrian|russian|ukrainian|romanian|bulgarian|portuguese|moroccan|algerian|pakistani|nigerian|mexican|irish|scottish|welsh|eastern european|accent|ausländer\w*|rentner\w*|senior\w*|muslim\w*|katholi\w*|étranger\w*|retraité\w*|musulman\w*|inmigrante|jubilad\w*|extranjer\w*|immigrat\w*|pensionat\w*|stranier\w*|imigrante|reformad\w*|estrangeir\w*|allochtoon|gepensioneerde)\b|外国人|移民|高齢|老人|مهاجر|مسلم|مسيحي|عجوز`)

// agents are words for a person by what they are or do; their endings say so.
var agents = regexp.MustCompile(`^(?:\pL{3,}(?:er|or|ist|ian|ee|ant|ent)s?|parents?|users?|owners?|\pL*mates?|\pL*wi(?:fe|ves)|husbands?|\pL*m[ae]n|people|person|persons|mothers?|fathers?|families|family|customer|freak|queen|type|soul|guy|lady|cook|nurse|enthusiast|fan|pro|novice|newbie|expert|sceptic|skeptic|optimist|pessimist|critic|host|friend|addict|snob|geek|nerd|hermit|loner)$`)

// plainWords say what anybody may be called by what they do: how often, how long, how, and in which part.
var plainWords = wordSet(`standing long-standing longstanding established established keen lifelong trusting patient impatient frequent occasional regular daily weekly monthly yearly annual seasonal everyday heavy light casual first time first-time long-time longtime long new recent former current
	experienced inexperienced seasoned skilled novice beginner busy full-time part-time fulltime parttime self-employed employed freelance independent solo remote hybrid online offline mobile
	digital urban rural suburban local international national domestic private public professional amateur hobby business commercial corporate small large big medium
	careful cautious prudent thorough deliberate practical pragmatic planned organised organized price-conscious cost-conscious budget-conscious quality-conscious conscious aware minded
	price-sensitive price sensitive budget value quality loyal satisfied dissatisfied unsatisfied happy unhappy content contented frustrated disappointed annoyed sceptical skeptical critical wary hesitant reluctant undecided
	curious open keen eager enthusiastic committed active passive selective discerning demanding attentive informed well-informed thrifty frugal economical sustainable eco-conscious
	environmentally green health-conscious safety-conscious early late morning evening night weekend weekday repeat returning lapsed potential prospective would-be on-and-off
	working home household family shared joint single multiple main sole key decision power end consumer retail technical hands-on do-it-yourself diy
	cycling walking driving commuting travelling traveling cooking gardening reading paying buying renting living customer`)

// fits reports whether words for a person say only what was said: each word that qualifies a person stands among the stems, or is
// plain.
func fits(text, language string, said []string) bool {
	all := wordsOf(text)
	if len(all) > 0 && strings.HasSuffix(all[0].form, "s") && !agents.MatchString(all[0].form) {
		return true // a verb: "plans dinner by the delivery"
	}
	for i, w := range all {
		if i > 1 && functionOf(language)[w.form] {
			return true // what follows says what the person does
		}
		if i == 0 || !agents.MatchString(w.form) || plainWords[w.form] && i+1 < len(all) {
			continue
		}
		for j := i - 1; j >= 0 && j >= i-3; j-- {
			before := all[j]
			if function := functionOf(language)[before.form]; function || strings.ContainsAny(text[before.end:all[j+1].start], ",;:") {
				break
			}
			if !plainWords[before.form] && !agents.MatchString(before.form) && shared([]string{stem(before.form, language)}, said) == 0 && len(numbersIn(before.form, language)) == 0 {
				return false
			}
		}
	}
	return true
}
