package guardrail

import "verbatim/internal/domain/lang"

func german() *lexicon {
	return &lexicon{
		code: "de", name: "German", scripts: lang.Latin, inflected: true,
		stop: set(`der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als ob dass weil von zu im in auf am an bei mit für über
			nach vor durch ohne um aus seit zwischen ich sie er es wir ihr mich mir ihnen ihm ihn uns euch mein meine ihre ihren ihrem ihrer sein seine unser
			dieser diese dieses diesem diesen da hier dort wer wen wem was welche welcher welches welchen welchem wo wann warum wie wieso wozu wofür woran
			worauf wobei inwiefern ist sind war waren sein bin haben hat hatte hatten habe wird werden wurde wurden würde würden kann können könnten könnte soll sollte
			muss nicht kein keine keinen nein so sehr auch noch schon nur mehr sich man dabei dazu davon daran darauf dafür damit bitte danke mal etwas alles
			vom zum zur beim ins doch denn etwa also ganz immer nie oft`),
		neutral: set(`erzählen erzähl erzählt sagen sagten sagt gesagt erwähnt erwähnten sprechen sprachen gesprochen beschreiben beschreib beschrieben erklären
			schildern zeigen gehen geht ging meinen meint gemeint bedeutet bedeuten denken denkt gedacht fühlen gefühl gefühlt anfühlt fühlt sehen gesehen kommen kommt kam
			passiert passierte geschah geschieht geschehen beispiel beispiele moment momente augenblick mal male zeit tag tage situation situationen fall erfahrung erlebnis erleben erlebt
			einzelheiten genau genauer konkret konkretes konkreten bestimmt bestimmten bestimmte letzten letzte letztes kürzlich erinnern erinnerung wort worte wörter ding
			dinge art weise teil schritt sicht grund gründe rolle unterschied verändert veränderung ändert machen macht gemacht bringt bringen gebracht dahinter
			anfang ende nächste nächsten weiter weiteres bisschen wenig antwort frage verstehen verstehe hilft wissen wichtig üblich üblicherweise normalerweise gewöhnlich
			gestern heute woche monat jahr nutzen nimmt nehmen genommen arbeiten versucht behalten möchten möchte gern gerne eigentlich sinne umgehen umgang damals entscheiden
			entschieden leute menschen jemand fällt ein führt führte vorgehen vorgegangen ablauf abläuft läuft ablaufen einfällt los hinter los sonst näher mehr anders andere anderes woanders irgendwo`),
		questionWords: set("was wer wen wem wessen warum wieso weshalb wie wo wohin woher wann welche welcher welches welchen welchem wozu wofür woran worauf wobei womit wodurch wovon inwiefern inwieweit"),
		requests: compile("^ bitte", "^ erzählen|beschreiben|schildern|erklären|nennen|berichten|sagen|führen|denken|geben|zeigen|nehmen sie",
			"^ erzähl|beschreib|schildere|erkläre|nenne|sag|berichte|zeig",
			"^ und erzählen|beschreiben|erklären|sagen sie"),
		ands: set("und sowie"), ors: set("oder"), before: set("für mit zu von in an bei über aus nach seit um auf durch"),
		articles: set("der die das den dem des ein eine einen einem einer ihr ihre ihren ihrem ihrer ihres diese dieser dieses diesen diesem vom zum zur beim am im"),
		settings: set("wenn als während nachdem bevor weil falls nachdem seit sobald nach bei"),
		both:     compile("zwischen", "vergleich*", "unterschied*", "unterscheid*", "was davon", "welche* davon", "verbind*", "zusammen*"),
		oneThing: compile("vor und nachteile|nachteilen", "hin und her", "nach und nach", "auf und ab", "für und wider", "stärken und schwächen",
			"höhen und tiefen", "freunde|freunden und bekannte|bekannten|familie|verwandte",
			"schritt und schritt", "ab und zu", "hier und da", "mehr und mehr", "immer und immer", "kopieren und einfügen", "land und leute", "tag und nacht",
			"höhen und tiefen", "familie und freunde|freunden", "kosten und nutzen", "zeit und geld", "chancen und risiken", "soll und haben", "kind und kegel",
			"drum und dran", "frage und antwort", "angebot und nachfrage", "nah und fern", "groß und klein", "aus und weiterbildung"),
		second: compile(", und _ es|das|sie|er|dies",
			"und haben|hat|hatten|sind|ist|war|waren|würden|würde|werden|wird|können|könnten|sollte|möchten|machen sie|es|das|er|wir|ihr|ihre|der|die|man"),
		degree: compile("wie _ und wie", "wie _ und _ ist|sind|war|waren|finden|fanden|erleben|läuft"),
		leading: compile("^|,|und|aber finden|glauben|denken|meinen|haben|sind|ist|wäre|war|hätten|würden|könnte|sollte|wollen|ist sie|es|das|der|die|ihnen|man .. nicht",
			"^|,|und ist|war|sind|waren|hat|haben|wäre|hätte|sollte .. nicht",
			"^ finden|denken|glauben sie .. nicht", "^|,|und glauben|denken|meinen|finden sie , dass|ob|es|der|die|das",
			"^|,|und glauben|denken|meinen|finden sie dass|es|das|der|die|auch", "würden sie .. zustimmen|sagen", "stimmen sie .. zu",
			"^ lag|liegt|war|ist|hat|haben|kam|geschah|sind ... wegen|weil|an|aufgrund", "^ lag|liegt das|es|dies", "^ haben|hatten|sind|war|ist ... , weil|da",
			"offensichtlich|natürlich|sicherlich|gewiss|bestimmt|zweifellos|selbstverständlich|offenbar|sicher waren|war|ist|sind|haben|hat|fanden|finden|geht|, ",
			"^ natürlich|sicher|sicherlich|bestimmt|offensichtlich|selbstverständlich|zweifellos",
			"sie waren|sind|haben|hatten|finden|fanden bestimmt|sicher|sicherlich|natürlich|wohl|offensichtlich|doch", "sie müssen|mussten .. sein|haben|fühlen",
			"das muss|musste ... sein|haben",
			"die meisten|viele|andere menschen|leute|nutzer|kunden|teilnehmer|befragten", "wie jeder|alle|man .. weiß|wissen",
			"jeder|alle weiß|wissen|sagen|findet|lieben", "studien|forschung|experten zeigen|zeigt|sagen|sagt",
			"ich|wir nehme|nehmen|vermute|vermuten|denke|glaube|glauben|schätze|ahne|gehe an|, |dass|mal|sie|das|davon|der|die",
			"^ ich vermute|denke|glaube|schätze|nehme", "wäre es|das nicht", "etwa wieder|auch|schon|nicht|der|die|das", "ist|sind|war ... etwa",
			"wie viel|viele zeit|geld|mühe ... gespart|spart|verloren|verschwendet",
			"sehr hat|haben|hatte|gefällt|gefiel ... gefallen|gefällt", "wie sehr", "^ das|es klingt|hört|scheint|wirkt", "^ hätte|hätten",
			"wie gut|gern|gerne gefällt|gefiel|hat|mögen"),
		declared: compile("^ sie ... also", "^ also|dann sie|das|die|der|es|ist|war|waren", "^ die|das|der|sie|es ... also", "^ sie|das|die|der|es ... weil"),
		tags: compile(", oder|richtig|nicht|korrekt|ja|gell|stimmts|ne|nein $", "nicht wahr $", "oder nicht $", "oder etwa nicht $", "stimmt das|es $",
			"habe ich recht", "^ oder|richtig $"),
		good: compile("gut|gute|guter|gutes|guten|gutem|besser|bessere|beste|besten|bestes|toll|tolle|tollen|super|schön|schöne|schönen|wunderbar|wunderbare|großartig|großartige|perfekt|perfekte|ausgezeichnet*|hervorragend*|fantastisch*|exzellent*",
			"leicht|leichte|einfach|einfache|einfacher|schnell|schneller|bequem|bequeme|praktisch|praktische|nützlich|nützliche|hilfreich|hilfreiche|angenehm|angenehme|klar|sicher|sicherer|übersichtlich|zuverlässig|modern|moderne|wertvoll|gesund|attraktiv",
			"zufrieden|glücklich|begeister*|erfreut|beeindruck*|liebe|lieben|liebt|genieß*|genoss*|spaß|vorteil*"),
		bad: compile("schlecht*|schlimm*|furchtbar*|schrecklich*|hässlich*|nutzlos*|gefährlich*|schädlich*|unsicher|unfair|falsch|falsche|dumm|dumme|schmutzig*",
			"frustrier*|nerv*|ärger*|enttäusch*|schwierig*|schwer|schwere|kompliziert*|umständlich*|langsam|langsame|langweilig*|teuer|teure|teuren|überteuert*|mühsam*|lästig*",
			"verwirr*|stress*|problem|probleme|mühe|sorge|sorgen|besorgt|angst|wütend|traurig|unzufrieden|unglücklich|hasse|hassen",
			"gescheitert|scheitert|scheitern|versagt|vernachlässig*|leiden|stört|stören|störte|irreführ*|irreführt|kaputt|schmerz*|riskant*|übertrieben*|verschwend*|veraltet*"),
		hedges: compile("falls überhaupt", "wenn überhaupt", "falls etwas", "ob"),
		praise: compile("^ toll|super|prima|klasse|wunderbar|großartig|perfekt|ausgezeichnet|hervorragend|fantastisch|spannend|interessant|schön|wow|bravo|genau|gut|stark|genial|richtig|stimmt|sehr $|,|:",
			"^ sehr gut|schön|interessant|spannend",
			"das|es ist|klingt|war|finde|sind .. toll|super|prima|klasse|wunderbar|großartig|perfekt|ausgezeichnet|hervorragend|fantastisch|spannend|interessant|schön|schlimm|furchtbar|schrecklich|traurig|verständlich|nachvollziehbar|genial|beeindruckend|klug|frustrierend|ärgerlich|richtig|falsch|dumm",
			"gute|guter|gutes|wunderbare|großartige|tolle|toller|tolles|interessante|interessanter|spannende|spannender|super|kluge|schöne|ausgezeichnete|hervorragende|wertvolle|hilfreiche antwort|antworten|punkt|frage|gedanke|gedanken|idee|beobachtung|einblick|einblicke|beispiel|hinweis",
			"gut|schön|toll gemacht|gesagt|beschrieben", "es|das freut|tut mich|mir leid|sehr", "das freut mich", "tut mir .. leid", "ich freue mich",
			"sie haben .. recht", "da haben sie .. recht", "das verstehe|kann ich .. verstehen|gut",
			"idiot|idioten|dummkopf|trottel|blödmann|arschloch|depp|versager|scheiß*|blöd*|dämlich*", "halt|halten die|sie klappe|den|mund",
			"glückwunsch|gratul*|kompliment", "sie sind .. dumm|klug|toll|großartig|schlau|wunderbar|ein|eine|der|die"),
		promise: compile("sie|ihnen werden|bekommen|erhalten|gewinnen|wird .. bekommen|erhalten|gewinnen|bezahlt|belohnt|erstattet|gutgeschrieben|überwiesen",
			"sie bekommen|erhalten|gewinnen .. euro|gutschein|geld|prämie|belohnung|geschenk|rabatt", "sie haben .. gewonnen|verdient",
			"wir|ich werden|werde .. zahlen|bezahlen|schicken|senden|überweisen|erstatten|beheben|lösen|reparieren|geben|löschen|sorgen|anrufen|melden",
			"wir|ich schicken|schicke|senden|sende|überweisen|überweise|zahlen|zahle|erstatten|schenken|schenke .. ihnen",
			"ich|wir verspreche|versprechen|garantiere|garantieren|versichere|versichern", "verspreche|garantiere|versichere|garantieren|versprechen ich|wir|ihnen",
			"ist|sind|bleibt|bleiben|werden|wird|antworten|streng|völlig|absolut .. vertraulich|anonym|geheim", "niemand|keiner wird|erfährt|sieht|liest|kann",
			"gutschein*|prämie|gewinnspiel|rabattcode*|geschenkkarte*", "ihr|ihre|ihren preis|gewinn|belohnung|prämie|geschenk|rückerstattung|gutschein|bonus",
			"wird|werden .. behoben|repariert|gelöst|erstattet|verbessert|veröffentlicht|gelöscht|ausgezahlt", "kostenlos* .. für sie"),
		meta: compile("system|prompt|eingabe prompt|prompts|anweisung|anweisungen|nachricht|aufforderung",
			"systemprompt*|systemanweisung*|systemnachricht*|prompt|prompts", "sprachmodell*", "als ki|ai|künstliche|assistent|sprachmodell",
			"ich bin .. ki|ai|künstliche|assistent|bot|sprachmodell",
			"meine|meinen|meiner .. anweisung*|instruktion*|vorgaben|richtlinien|programmierung|entwickler*|regeln",
			"ich|mir wurde|wurden .. angewiesen|programmiert|gesagt|aufgetragen|vorgegeben", "entwicklermodus",
			"vorherige|vorherigen|obigen|frühere anweisungen|anweisung", "leitfaden|interviewleitfaden|gesprächsleitfaden",
			"nächste|nächsten frage|fragen lautet|ist|sind|auf|im"),
		interview: compile("interview|umfrage|gespräch|befragung ist|hiermit|wird|endet|beendet .. beendet|vorbei|fertig|abgeschlossen|zu|hier|jetzt|beendet",
			"beende|beenden|schließe|abbrechen .. interview|umfrage|befragung", "wiedersehen|tschüss|lebewohl", "keine weiteren|weitere fragen"),
		introduction: compile("sie sagten|erwähnten|haben|sprachen|nannten|beschrieben|meinten|schrieben|sagen|fanden", "wenn sie"),
	}
}
