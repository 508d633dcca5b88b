package textanalysis

import "strings"

var languageCodes = []string{"en", "de", "fr", "es", "pt", "it", "nl"}

// languages holds the languages with word lists. Besides function words, the stop lists hold the verbs and adverbs of everyday
// speech, which name no topic. Words are lower case, with ' as the apostrophe.
var languages = map[string]*language{
	"en": {
		stop: set(`a about above actually after again all almost already also although always am an and another any anyone anything anyway are aren't around as ask asked at
			away back basically be became because become been before being best better between big bit both but by call came can can't cannot come comes coming could couldn't
			course day days did didn't different do does doesn't doing don't done down due during each easier easily easy either else end enough especially etc even ever every everyone
			everything exactly example far feel feeling feels felt few find first for found from full further gave general generally get gets getting give given gives go goes going gone
			good got great had happen happened happens hard has hasn't have haven't having he help helped helps her here hers him his honestly how however i i'd i'll i'm i've if in instead
			into is isn't it it'd it'll it's its itself just keep keeps kept kind knew know known last later least less let let's like liked likes little long look looked looking looks lot
			lots made make makes making many may maybe me mean means might mine minute minutes moment more most mostly much must my myself need needed needs never new next nice no nobody
			none nor not nothing now number of off often ok okay old on once one ones only onto or other others our ours out over own part people per perhaps person pretty probably put
			quite rather really right said same saw say saying says second see seem seemed seems seen set several she should shouldn't show since so some somebody somehow someone something
			sometimes somewhere soon sort start started still stuff such sure take taken takes taking talk tell than that that's the their theirs them themselves then there there's these
			they they'd they'll they're they've thing things think thinking third this those though thought three through time times to today together told tomorrow too took towards tried
			tries true try trying turn two under unless until up upon us use used useful user uses using usually very want wanted wants was wasn't way ways we we'd we'll we're we've week
			weeks well went were weren't what what's whatever when where whether which while who whole whom whose why will with within without won't words work worked works would wouldn't
			yeah year years yes yesterday yet you you'd you'll you're you've your yours yourself happy sad bad worse worst nicely half twice ago hour hours month months morning evening night
			ever side point able actually bought buy buying open opened close closed clicked click typed show shows showed sit sits sat write wrote read understand remember forget forgot`),
		beforeNoun:  set(`a an the my our your his her their its this that these those some any no each every another of with from for on in at per two three four five new old`),
		beforeOther: set(`i you we they he she it to can can't could will would won't don't doesn't didn't do does did is was are were be been being very too so really quite more pretty have has had it's that's i'm feels felt not never always just`),
		notNouns:    []string{"ly", "ing", "ed"}, stemmer: stemmers["en"],
	},
	"de": {
		stop: set(`aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bisschen bist da dabei dadurch dafür dagegen daher damit danach dann dar daran darauf
			das dass davon dazu dein deine dem den denn der deren des deshalb die dies diese diesem diesen dieser dieses doch dort du durch eben egal eher eigentlich ein eine einem einen einer
			eines einfach einige einmal er erst es etwa etwas euch euer fast finde finden fand für ganz gar geben gegen gehe gehen geht gemacht genau genug gerade gern gerne gesagt gibt ging
			gut gute guten habe haben hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren immer in ins irgendwie irgendwann ist ja jede jeder jedes jetzt jemand kam kann kannst
			kein keine keinen kommen kommt können könnte konnte lang lange lassen leider machen macht mache mal man manchmal mehr mein meine meinem meinen meiner meines meist meistens mich
			mir mit möchte muss musste müssen nach nachdem nicht nichts nie nimmt noch normalerweise nun nur ob obwohl oder oft ohne schlecht schnell schon schön sehr sein seine seinem
			seinen seit selbst sich sicher sie sind so sodass sogar soll sollen sollte sondern sonst tun um und uns unser unsere unter viel viele vielleicht vom von vor wann war waren warum
			was weg wegen weil weiß weiter welche welcher wenig weniger wenn wer werde werden wie wieder will wir wird wirklich wo wollen wollte wurde würde würden zu zum zur zwar zwei
			zweite drei mal tag tage woche wochen jahr jahre zeit minuten minute stunde stunden sache sachen ding dinge mensch menschen leute beispiel uhr gestern heute morgen abend nachts`),
		beforeNoun:   set(`der die das den dem des ein eine einen einem einer mein meine meinen meinem unser unsere kein keine im am beim zum zur ins vom`),
		beforeOther:  set(`ich du er sie es wir ihr ist war sind waren sehr zu so nicht ganz wirklich`),
		capitalNouns: true,
	},
	"fr": {
		stop: set(`a à afin ai aie ainsi alors après assez au aucun aucune aujourd'hui aussi autre autres aux avais avait avant avec avoir beaucoup bien bon bonne ça car ce ceci cela celle celui ces cet
			cette ceux chaque chez chose choses comme comment contre d d'abord dans de déjà depuis des dès deux devant dire dit dois doit donc dont du elle elles en encore entre es est et étaient étais
			était été être eu eux façon faire fait faisait fais faut fois font grand gros hier ici il ils j j'ai jamais je jour jours juste l la là le les leur leurs lui ma mais mal me même mes met
			mieux mis moi moins mon n ne ni non nos notre nous on ont ou où par parce parfois pas pendant petit peu peut peux plupart plus plutôt pour pourquoi pouvoir première premier pris prendre
			prends puis qu quand que quel quelle quelque quelques qui quoi rien s sa sais sans se sera ses si sinon soit sommes son sont sous souvent suis sur surtout ta tant te tel temps tes toi ton
			toujours tous tout toute toutes très trop trois trouve tu un une va vais vais-je vas vers veux veut vient voilà voir vois vos votre vous vraiment vu y année années semaine semaines
			heure heures minute minutes mois gens fait exemple personne aime arrive chaque`),
		beforeNoun:  set(`le la les un une des du de mon ma mes notre nos ce cet cette ces au aux leur leurs son sa ses votre vos en`),
		beforeOther: set(`je j'ai tu il elle on nous vous ils elles est était sont très trop plus pas ne se me c'est être ai a ont avons avoir`),
		notNouns:    []string{"ment", "ais", "ait", "ez"}, elides: true, stemmer: stemmers["fr"],
	},
	"es": {
		stop: set(`a además ahora al algo alguien algún alguna algunas algunos allí ante antes aquí así aún aunque bastante bien bueno buena cada casi como cómo con contra cosa cosas cual cuál cuando cuándo
			da dar de debe decir del desde después día días dice dije dijo donde dónde dos durante e el él ella ellas ellos en entonces entre era eran es esa esas ese eso esos esta está estaba están estar
			estas este esto estos estoy fue fueron fui gente gran gusta ha había hace hacer hacia hago han hasta hay he hemos hice hizo hoy iba ir jamás la las le les lo los luego mal más me mejor menos
			mes mi mientras mis mí mismo misma mucho mucha muchas muchos muy nada nadie ni no nos nosotros nuestra nuestro nunca o os otra otras otro otros para parece pero peor poco poca por porque pude
			puede pueden puedo pues que qué quien quién quiero sé se sea según ser si sí siempre sin sino sobre solo sólo son soy su sus también tampoco tan tanto te tener tengo tenía tiempo tiene
			tienen toda todas todavía todo todos tres tú tu tus tuve un una unas uno unos usa usar uso usted va vamos vez veces ver voy y ya yo año años semana semanas hora horas minutos minuto ejemplo ayer cada`),
		beforeNoun:  set(`el la los las un una unos unas mi mis su sus nuestro nuestra este esta ese esa estos estas del al de cada`),
		beforeOther: set(`yo tú él ella nosotros ellos es era son fue muy más tan no se me lo le que he ha han está estaba`),
		notNouns:    []string{"mente", "ando", "iendo", "aba"}, stemmer: stemmers["es"],
	},
	"pt": {
		stop: set(`a à acho agora ainda além algo alguém algum alguma algumas alguns ali ano anos antes ao aos aquela aquele aqui aquilo as às assim até bastante bem boa bom cada coisa coisas com como da
			dá dar das de depois dele dela desde deve dia dias disse diz do dois dos duas durante e é ela elas ele eles em embora enquanto então entre era eram essa essas esse esses esta está estão
			estar estava este estes eu exemplo faz fazer fazia fez fica ficar fiz foi foram gente gosto grande há hoje hora horas ia ir isso isto já la lá lhe logo mais mal mas me meio melhor menos
			mês mesma mesmo meu meus mim minha minhas minuto minutos muita muitas muito muitos na nada não nas nem nenhum ninguém no nós nos nossa nosso num numa nunca o onde ontem os ou outra
			outras outro outros para parece pela pelo pelos pode podem pois por porque posso pouca pouco pra próprio quais qual quando quanto quase que quê quem quer quero são se seja sem semana semanas
			sempre ser seu seus si sim só sobre sou sua suas também tanta tão te tem têm tempo tenho ter teve tinha tive toda todas todo todos três tu tudo um uma umas uns usa usar uso vai vamos vez vezes vou você vocês`),
		beforeNoun:  set(`o a os as um uma meu minha meus minhas seu sua nosso nossa este esta esse essa do da dos das no na nos nas ao de cada`),
		beforeOther: set(`eu ele ela nós eles você é era são foi muito mais tão não se me que está estava`),
		notNouns:    []string{"mente", "ando", "endo", "ava"},
	},
	"it": {
		stop: set(`a abbastanza abbiamo ad adesso agli ai al alcune alcuni alla alle allo allora altra altre altri altro anche ancora anni anno aveva avere avevo avuto bella bello bene buona buono c'è casa che
			chi ci ciò come con cosa cose così cui da dagli dai dal dalla dalle degli dei del della delle dello dentro di dice dire dopo dove due durante e è ed era erano ero esempio essere fa faccio fare
			fatto fino fra gente già giorni giorno gli grande ha hai hanno ho i il in infatti io la là le lei li lo loro lui ma mai male me meglio meno mentre mi mia mie miei mio minuti minuto
			molta molte molti molto ne nei nel nella nelle nessuno niente noi non nostra nostro nulla o od ogni oggi ora ore per perché però più poca pochi poco poi può posso prima proprio pure qua
			qualche qualcosa quale quali quando quanto quasi quella quelle quelli quello questa queste questi questo qui quindi se sei sembra sempre senza si sì sia siamo so solo sono sopra sotto sta
			stare stata stato stesso sto su sua sue sugli sui sul sulla suo suoi tanta tanto te tempo ti tra tre troppo trovo tu tua tuo tutta tutte tutti tutto un un'altra una uno usare uso va vado
			vedere vi via viene voglio voi volta volte vuole settimana settimane mese mesi ieri ogni secondo`),
		beforeNoun:  set(`il lo la i gli le un uno una mio mia miei mie suo sua nostro nostra questo questa quel quella del della dei delle al alla nel nella dal dalla ogni di`),
		beforeOther: set(`io tu lui lei noi loro è era sono sei molto più troppo così non si mi ho ha hanno che`),
		notNouns:    []string{"mente", "ando", "endo", "avo", "ava"}, elides: true,
	},
	"nl": {
		stop: set(`aan af al alle allemaal alleen alles als altijd andere anders bent beter bij bijna bijvoorbeeld ben beetje daar daarna daarom dag dagen dan dat de den der deze die dit doe doen doet dus door
			dingen ding een eens eerst eerste eigenlijk elk elke en er erg even ga gaan gaat gebruik gebruiken gedaan geen gehad geven geweest gewoon goed goede graag had hadden heb hebben heeft heel
			hem hen het hier hij hoe hun iemand iets ik in is ja jaar jaren je jij jullie kan keer komen komt krijg kon kunnen laat lang later leuk lijkt maak maakt maar maken mag me meer meest
			meestal men mensen met mij mijn minder minuten misschien moet moeten mogen na naar net niemand niet niets niks nog nooit nou nu nodig of om omdat ondanks onder ons onze ook op over
			paar soms sommige soort steeds te tegen terug tijd toch toen tot tussen twee uit uur van vaak vanaf veel verder vind vinden voor vooral vond waar waarom wanneer want waren was wat
			we week weken weer weet weg wel welke werd wie wil willen worden wordt zal ze zeer zeg zelf zelfs ze zich zien zie zij zijn zo zonder zou zouden gisteren vandaag drie echt`),
		beforeNoun:  set(`de het een mijn onze ons zijn haar hun deze dit die dat geen elke elk van in op met`),
		beforeOther: set(`ik je jij hij zij ze we wij jullie is was zijn waren heel erg te zo niet`),
	},
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
