package textanalysis

import (
	"maps"
	"strings"

	"verbatim/internal/domain/lang"
)

var languageCodes = []string{"en", "de", "fr", "es", "pt", "it", "nl"}

// languages holds the languages with word lists. Besides the function words of package lang, the stop lists hold the verbs and
// adverbs of everyday speech, which name no topic. Words are lower case, with ' as the apostrophe.
var languages = map[string]*language{
	"en": {
		stop: stopWords("en", `above actually almost already although anyone anything anyway aren't around ask asked away back basically became become best better big bit call came cannot come
			comes coming couldn't course day days different doing due easier easily easy either else end enough especially etc everyone everything exactly example far feel
			feeling feels felt find found full further gave general generally get gets getting give given gives go goes going gone good got great happen happened happens hard
			hasn't haven't having help helped helps hers honestly however i'll instead it'd it'll itself keep keeps kept kind knew know known later least less let let's liked
			likes little long look looked looking looks lot lots made make makes making maybe mean means minute minutes moment mostly myself need needed needs new next nice
			nobody none nothing number ok okay old once ones onto others ours part people per perhaps person pretty probably put quite rather really right saw saying says second
			see seem seemed seems seen set several shouldn't show somebody somehow someone something sometimes somewhere soon sort start started stuff sure take taken takes
			taking talk theirs themselves there's they'd they'll they're they've thing things think thinking third though thought three time times today together told tomorrow
			took towards tried tries true try trying turn under unless upon use used useful user uses using want wanted wants way ways we'd we'll we're we've week weeks went
			weren't whatever whether whole won't words work worked works wouldn't yeah year years yes yesterday you'll yourself happy sad bad worse worst nicely half twice ago
			hour hours month months morning evening night side point able bought buy buying open opened close closed clicked click typed shows showed sit sits sat write wrote
			read understand remember forget forgot`),
		beforeNoun:  set(`a an the my our your his her their its this that these those some any no each every another of with from for on in at per two three four five new old`),
		beforeOther: set(`i you we they he she it to can can't could will would won't don't doesn't didn't do does did is was are were be been being very too so really quite more pretty have has had it's that's i'm feels felt not never always just`),
		notNouns:    []string{"ly", "ing", "ed"}, stemmer: stemmers["en"],
	},
	"de": {
		stop: stopWords("de", `alle allem allen aller andere anderen bis bisschen bist dadurch dagegen daher danach dar dein deine deren deshalb dies du eben egal eher eigentlich einfach einige
			einmal erst euer fast finde finden fand gar geben gegen gehe gehen geht gemacht genau genug gerade gern gerne gesagt gibt ging gut gute guten hin irgendwie
			irgendwann ja jede jeder jedes jetzt jemand kam kannst kommen kommt konnte lang lange lassen leider machen macht mache manchmal meinem meinen meiner meines meist
			meistens möchte musste müssen nachdem nichts nimmt normalerweise nun obwohl schlecht schnell schön seinem seinen selbst sicher sodass sogar sollen sondern sonst tun
			unsere unter viel viele vielleicht weg wegen weiß weiter wenig weniger werde wieder will wirklich wollen wollte zwar zwei zweite drei tag tage woche wochen jahr
			jahre zeit minuten minute stunde stunden sache sachen ding dinge mensch menschen leute beispiel uhr gestern heute morgen abend nachts`),
		beforeNoun:   set(`der die das den dem des ein eine einen einem einer mein meine meinen meinem unser unsere kein keine im am beim zum zur ins vom`),
		beforeOther:  set(`ich du er sie es wir ihr ist war sind waren sehr zu so nicht ganz wirklich`),
		capitalNouns: true,
	},
	"fr": {
		stop: stopWords("fr", `à afin aie ainsi assez aucun aucune aujourd'hui avais avoir beaucoup bon bonne car celle celui ceux chaque choses contre d d'abord dès deux devant dire dit dois doit
			es étais eu eux façon faisait fais faut fois font grand gros hier j j'ai jour jours juste l leurs mal met mieux mis moi n ni parce parfois petit peu peux plupart
			plutôt pouvoir première premier pris prendre prends puis qu quelques s sais sera sinon soit sommes surtout tant tel temps toi trop trois trouve va vais vais-je vas
			veux veut vient voilà voir vois vraiment vu année années semaine semaines heure heures minute minutes mois gens exemple personne aime arrive`),
		beforeNoun:  set(`le la les un une des du de mon ma mes notre nos ce cet cette ces au aux leur leurs son sa ses votre vos en`),
		beforeOther: set(`je j'ai tu il elle on nous vous ils elles est était sont très trop plus pas ne se me c'est être ai a ont avons avoir`),
		notNouns:    []string{"ment", "ais", "ait", "ez"}, elides: true, stemmer: stemmers["fr"],
	},
	"es": {
		stop: stopWords("es", `además ahora algún alguna algunas algunos ante antes así bastante bien bueno buena cada casi contra cosa cosas cual da dar debe decir después día días dice dije dijo
			dos esas esos estoy fui gente gran gusta hago hemos hice hoy iba ir jamás luego mal mejor mes mientras mí misma mucho mucha muchas muchos nadie ni nuestra os otras
			parece peor poco poca pude puedo pues quien quiero sé sea según sino solo sólo soy tampoco tan tanto tener tengo tenía tiempo tiene tienen tres tuve uno usa usar uso
			va vamos ver voy año años semana semanas hora horas minutos minuto ejemplo ayer`),
		beforeNoun:  set(`el la los las un una unos unas mi mis su sus nuestro nuestra este esta ese esa estos estas del al de cada`),
		beforeOther: set(`yo tú él ella nosotros ellos es era son fue muy más tan no se me lo le que he ha han está estaba`),
		notNouns:    []string{"mente", "ando", "iendo", "aba"}, stemmer: stemmers["es"],
	},
	"pt": {
		stop: stopWords("pt", `acho agora além algum alguma algumas alguns ano anos antes assim bastante bem boa bom cada coisa coisas dá dar depois deve dia dias disse diz dois duas embora
			enquanto essas esses estes exemplo fazia fica ficar fiz gente gosto grande hoje hora horas ia ir la logo mal meio melhor mês mesma meus mim minhas minuto minutos
			muita muitas muitos nem nenhum ninguém nossa ontem outras parece pelos pois posso pouca pouco pra próprio quase quê quer quero seja semana semanas si só sou tanta
			tão tempo tenho teve tive três usa usar uso vai vamos vou`),
		beforeNoun:  set(`o a os as um uma meu minha meus minhas seu sua nosso nossa este esta esse essa do da dos das no na nos nas ao de cada`),
		beforeOther: set(`eu ele ela nós eles você é era são foi muito mais tão não se me que está estava`),
		notNouns:    []string{"mente", "ando", "endo", "ava"},
	},
	"it": {
		stop: stopWords("it", `abbastanza abbiamo ad adesso alcune alcuni altre anni anno avevo avuto bella bello bene buona buono c'è casa cose dagli dalle dentro dice dire dopo due durante ero
			esempio faccio fino gente giorni giorno grande hai infatti li male meglio mentre mie miei minuti minuto molta molte molti nessuno nostra od ogni oggi ora ore però
			poca pochi poco posso prima proprio pure qua qualche quasi quindi sei sembra senza sia siamo so solo sopra sotto sta stare sto sugli tanta tanto tempo tre troppo
			trovo tua tuo un'altra usare uso va vado vedere via viene voglio vuole settimana settimane mese mesi ieri secondo`),
		beforeNoun:  set(`il lo la i gli le un uno una mio mia miei mie suo sua nostro nostra questo questa quel quella del della dei delle al alla nel nella dal dalla ogni di`),
		beforeOther: set(`io tu lui lei noi loro è era sono sei molto più troppo così non si mi ho ha hanno che`),
		notNouns:    []string{"mente", "ando", "endo", "avo", "ava"}, elides: true,
	},
	"nl": {
		stop: stopWords("nl", `af alle allemaal andere anders beter bijna bijvoorbeeld beetje daarna daarom dag dagen den doe doen doet dingen ding eens eerst eerste eigenlijk elk elke even ga
			gaan gaat gebruik gebruiken gedaan gehad geven geweest gewoon goed goede iemand jaar jaren keer komen komt krijg laat lang later leuk lijkt maak maakt maken mag
			meest meestal mensen minder minuten misschien moeten mogen na net niemand niks nou nu nodig omdat ondanks onder paar soms sommige soort steeds tegen terug tijd twee
			uur vanaf veel verder vind vinden vooral vond week weken weer weet weg wel wil willen zeg zelf zelfs zien zie gisteren vandaag drie echt`),
		beforeNoun:  set(`de het een mijn onze ons zijn haar hun deze dit die dat geen elke elk van in op met`),
		beforeOther: set(`ik je jij hij zij ze we wij jullie is was zijn waren heel erg te zo niet`),
	},
}

// stopWords returns the function words of a language, and other words that name no topic.
func stopWords(code, topicless string) map[string]bool {
	m := set(topicless)
	maps.Copy(m, lang.FunctionWords(code))
	return m
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
