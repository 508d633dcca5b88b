package guardrail

import "verbatim/internal/domain/lang"

func italian() *lexicon {
	return &lexicon{
		code: "it", name: "Italian", scripts: lang.Latin, elides: true,
		stop: functionWords("it"),
		neutral: set(`dire dice detto diceva raccontare racconti raccontarmi parlare parli parlato parla menzionato citato accennato descrivere descriva descriverebbe spiegare spieghi precisare
			condividere mostrare mostri andare va andava intende intendere significa significano significato pensare pensa pensava sente sentire sentito sentiva vedere vede visto venire viene
			succede successo succedeva accaduto accade capitato esempio esempi momento momenti giorno situazione situazioni caso esperienza vivere vive vissuto dettaglio dettagli preciso concreto
			concreta particolare specifico ultima ultimo recente recenti recentemente ricorda ricordare mente testa parola parole cose maniera modo tipo parte passo punto vista parere ragione
			motivo ruolo differenza cambiato cambiare cambia porta portato porterebbe dietro inizio fine seguito poco domanda risposta capire aiuta sapere importante importa conto solito genere
			generalmente normalmente oggi ieri settimana mese anno immagini usare usato prendere provato vorrebbe volere esattamente senso termini gestisce gestire affronta decidere deciso scegliere
			gente persone persona aggiungere lato proposito svolge svolto tornando usato arrivati`),
		questionWords: set("che chi cosa come quando dove perché quale quali quanto quanta quanti quante"),
		requests: compile("^ per favore|piacere", "^ mi racconti|descriva|spieghi|parli|dica|faccia", "^ ci racconti|descriva|spieghi|parli|dica",
			"^ racconti|descriva|spieghi|parli|dica|pensi|precisi|condivida|mostri", "^ e mi racconti|descriva|spieghi|dica"),
		ands: set("e ed"), ors: set("o oppure"), before: set("per con di in a da su"),
		articles: set("il lo la i gli le l un uno una del dello della dei degli delle dell al allo alla ai agli alle all dal dalla dai nel nella nei nelle sul sulla suo sua suoi sue questo questa mio mia"),
		settings: set("quando mentre dopo prima perché se poiché appena dove"),
		both:     compile("tra|fra", "confront*|paragon*", "differen*", "distingu*", "quale|quali di|dei|delle"),
		oneThing: compile("pro e .. contro", "andata e ritorno", "avanti e indietro", "termini e condizioni", "vantaggi e .. svantaggi", "alti e bassi",
			"punti .. forza e .. debolezza|deboli", "amici e .. conoscenti|parenti|familiari|famiglia", "famiglia e .. amici", "giorno e notte", "copia e incolla",
			"tempo e denaro", "domande e risposte", "domanda e offerta", "usi e costumi", "costi e .. benefici", "prova ed errore"),
		second: compile("e|ed ha|è|sono|era|erano|hanno|può|potrebbe|vorrebbe|consiglierebbe|userebbe|comprerebbe|lo|la lei|lo|la|il|le|i|consiglierebbe|cambiato|stato|chiare|aiutato"),
		degree: compile("quanto è|era|sono .. _ e|ed _ $"),
		leading: compile("^|,|e non crede|pensa|trova|è|le|sarebbe|era|dovrebbe|ha|ritiene|sembra|credi|pensi", "^|,|e crede|pensa|ritiene|trova che|sia|anche",
			"^ è|era per|perché|dovuto|colpa", "per colpa", "a causa", "direbbe che", "è d accordo", "sarebbe d accordo",
			"ovviamente|chiaramente|sicuramente|certamente|evidentemente|naturalmente|indubbiamente", "di sicuro|certo", "senza dubbio",
			"la maggior parte|maggioranza", "molte|tante|altre|altri persone|partecipanti|clienti|utenti", "come tutti|ognuno|sappiamo", "tutti sanno|amano|dicono",
			"gli studi|esperti", "deve|doveva essere|aver|avere|sentirsi|essersi", "suppongo|immagino|credo|penso|presumo|scommetto che", "^ immagino",
			"quanto le è piaciut*", "quanto è|era|sono|è stato|stata frustrant*|facil*|util*|difficil*|bell*|utile", "^ sembra|pare", "^ avrebbe|avrebbero",
			"non sarebbe meglio"),
		declared: compile("^ quindi|allora|dunque", "^ lei ... perché"),
		tags:     compile(", vero|no|giusto|sì|corretto|eh $", "^ vero|giusto $", "non è vero|così $", "non crede|trova $", "o no $", "ho ragione"),
		good: compile("buono|buona|buoni|buone|buon|migliore|migliori|meglio|ottim*|eccellent*|fantastic*|meraviglios*|perfett*|splendid*|bell*",
			"facil*|semplic*|veloc*|rapid*|pratic*|utile|utili|comod*|piacevol*|chiar*|sicur*|modern*|affidabil*|intuitiv*|san|sano|sana",
			"piaciut*|amato|ama|adora*|soddisf*|felic*|content*|entusias*|impression*|vantagg*"),
		bad: compile("cattiv*|peggi*|terribil*|orribil*|brutt*|inutil*|pericolos*|dannos*|ingiust*|sbagliat*|stupid*|sporc*",
			"frustr*|fastid*|irrit*|delus*|deludent*|difficil*|dur|duro|dura|lent*|noios*|car|caro|cara|cari|care|complicat*|pesant*",
			"confus*|stress*|problem*|difficolt*|preoccup*|paura|arrabbiat*|trist*|insoddisf*|odia*",
			"fallit*|fallim*|trascur*|soffr*|ingann*|rott*|doloros*|rischios*|eccessiv*|sprec*|antiquat*"),
		hedges: compile("un po meglio", "semmai|eventualmente", "se c è", "se mai"),
		praise: compile("^ ottimo|ottima|eccellente|perfetto|fantastico|meraviglioso|incredibile|interessante|bravo|brava|esatto|esattamente|certo|complimenti|bello|bene|grande|wow $|,|:",
			"^ molto bene|interessante|bello", "^ che bello|interessante|peccato|meraviglia|brutto|tristezza",
			"è|sembra|suona|stato .. ottimo|eccellente|fantastico|meraviglioso|incredibile|interessante|terribile|orribile|triste|comprensibile|frustrante|corretto|giusto|stupido",
			"buona|ottima|ottimo|bella|bel|eccellente|grande|interessante risposta|risposte|punto|domanda|idea|osservazione|esempio|spunto",
			"risposta|idea|domanda|osservazione eccellente|interessante|ottima|fantastica|preziosa", "ha|hai .. ragione", "mi dispiace",
			"sono felice|contento|contenta", "mi fa piacere", "capisco perfettamente|bene", "complimenti|congratulazioni",
			"idiota|idioti|imbecille|imbecilli|stupid*|cretin*|stronz*|merda|scem*|deficiente", "stai|stia zitto|zitta",
			"lei|tu è|sei .. un|una|geniale|meraviglioso|intelligente|stupido"),
		promise: compile("riceverà|vincerà|otterrà|guadagnerà|riceverai", "ha|hai .. vinto",
			"le|ti|vi invieremo|manderemo|pagheremo|daremo|regaliamo|rimborseremo|invierò|manderò|pagherò|darò|prometto|garantisco|assicuro|promettiamo|garantiamo",
			"invieremo|manderemo|pagheremo|rimborseremo|risolveremo|ripareremo|invierò|pagherò", "prometto|promettiamo|garantisco|garantiamo|assicuro|assicuriamo",
			"è|sono|sarà|saranno|resta|restano|rimane|rimangono|rimarranno|strettamente|totalmente|risposte|resteranno .. riservat*|anonim*|segret*|confidenzial*",
			"nessuno vedrà|saprà|leggerà|potrà|altro", "buono|carta|buoni regalo|sconto", "il suo premio|regalo|rimborso|buono",
			"sarà|saranno .. risolt*|corrett*|rimborsat*|riparat*|pubblicat*|cancellat*|pagat*", "gratis .. per lei"),
		meta: compile("prompt", "istruzioni|istruzione|messaggio di|del sistema",
			"istruzioni|istruzione iniziali|segrete|nascoste|precedenti|originali|di", "modello linguistico|di linguistico|linguaggio", "modello linguistico",
			"come ia|assistente|intelligenza|modello", "sono un .. ia|assistente|intelligenza|modello|bot|robot", "le mie istruzioni|regole",
			"miei sviluppatori|creatori", "sono stato|stata .. programmat*|istruit*|incaricat*", "mi è|hanno stato|detto .. detto|ordinato|chiesto",
			"modalità sviluppatore|debug", "guida|traccia dell|di|della .. intervista|discussione",
			"prossima|prossime|successiva|successive domanda|domande è|sono|sarà|saranno", "la domanda successiva|seguente"),
		interview: compile("intervista|sondaggio è|termina|finisce|si .. terminat*|finit*|conclus*|chius*|qui",
			"terminare|finire|concludere|chiudere|interrompere|termino .. intervista|sondaggio", "fine dell intervista", "arrivederci|addio",
			"non ci sono altre|più domande"),
		introduction: compile("ha .. detto|menzionato|citato|parlato|usato|accennato", "^ diceva", "quando dice"),
	}
}
