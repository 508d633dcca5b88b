package guardrail

import "verbatim/internal/domain/lang"

func dutch() *lexicon {
	return &lexicon{
		code: "nl", name: "Dutch", scripts: lang.Latin, inflected: true,
		stop: functionWords("nl"),
		neutral: set(`vertellen vertel vertelt verteld zeggen zegt zei gezegd noemde genoemd noemen spreken gesproken beschrijven beschrijf beschreven uitleggen toelichten laten zien gaan gaat bedoelt
			bedoelen bedoeld betekent betekenen denken denkt gedacht voelen gevoel voelt voelde gezien komen komt kwam gebeurt gebeurde gebeurd voorbeeld voorbeelden moment momenten keer tijd dag
			dagen situatie situaties geval ervaring ervaren details precies preciezer concreet concreets bepaald bepaalde laatste laatst recente recent herinnert herinneren woord woorden ding dingen manier soort deel
			stap opzicht reden redenen rol verschil veranderd veranderde verandert maakt maken gemaakt brengt bracht gebracht erachter begin einde volgende verder beetje antwoord vraag begrijpen helpt
			weten belangrijk gewoonlijk meestal normaal gisteren vandaag week maand jaar gebruiken gebruikt nemen neemt genomen werken geprobeerd houden willen wilt eigenlijk zin omgaan beslissen
			besloten kiezen mensen iemand toevoegen kant achter eens ergens anders ander andere heen keren speelt waaruit blijkt even`),
		questionWords: set("wat wie welke welk wanneer waarom hoe waar waarin waarop waarvan waaraan waarmee waarvoor waardoor hoeveel hoezo"),
		requests: compile("^ vertel|beschrijf|leg|noem|geef|denk|neem|laat|zeg|deel|schets", "^ kunt u|alstublieft", "^ alstublieft", "^ wilt u",
			"^ en vertel|beschrijf|leg|noem"),
		ands: set("en"), ors: set("of"), before: set("voor met van in aan bij over naar door op sinds uit"),
		articles: set("de het een uw je mijn onze ons hun zijn haar deze dit die dat"),
		settings: set("toen als wanneer terwijl nadat voordat omdat sinds zodra na"),
		both:     compile("tussen", "vergelijk*|vergeleken", "verschil*", "welke van", "onderscheid*"),
		oneThing: compile("voor en nadelen", "voors en tegens", "heen en weer", "ups en downs", "sterke en zwakke", "vrienden en .. familie|kennissen|bekenden",
			"familie en .. vrienden", "dag en nacht", "kopiëren en plakken", "tijd en geld", "vraag en antwoord|aanbod", "kosten en baten", "vallen en opstaan",
			"hier en daar", "af en toe", "steeds en steeds"),
		second: compile(", en _ het|dat|ze|hij|u", "en heeft|had|bent|is|was|waren|zou|zouden|kunt|kan|gaat|hebben|zijn|worden|wordt u|het|dat|je|ze|hij|zij|de|uw"),
		degree: compile("hoe _ en hoe", "hoe _ en _ is|was|zijn|waren|vindt|vond"),
		leading: compile("^|,|en vindt|denkt|gelooft|heeft|is|was|zou|bent|waren|zijn u|het|dat|de|die .. niet", "^|,|en vindt|denkt|gelooft|meent u dat|ook",
			"^|,|en denkt|gelooft|vindt u , dat", "^ kwam|komt|was|is|lag|ligt het|dat .. door|omdat|aan|vanwege", "^ heeft|had|was|is ... omdat|vanwege",
			"zou u zeggen", "bent|zou u het .. eens",
			"natuurlijk|uiteraard|duidelijk|ongetwijfeld|vanzelfsprekend|overduidelijk|vast is|was|zijn|vindt|wel|,|de|het|en",
			"^ natuurlijk|uiteraard|ongetwijfeld|vanzelfsprekend|waarschijnlijk", "de meeste mensen|klanten|gebruikers|deelnemers",
			"veel|andere mensen|klanten|gebruikers|deelnemers", "zoals iedereen|we|bekend", "iedereen weet|vindt|zegt", "onderzoek|experts|studies toont|zeggen|laat",
			"u moet|was|bent vast|wel|zich .. zijn|hebben|bezorgd", "ik neem|vermoed|denk|geloof|vind|gok|wed aan|dat", "^ ik vermoed|denk|gok|neem",
			"^ dat|het klinkt|lijkt", "^ had|hadden", "zou het niet", "hoe erg|leuk|fijn", "hoeveel tijd|geld ... bespaar*|gescheeld"),
		declared: compile("^ dus|dan u|het|de|dat|die", "^ u ... dus"),
		tags: compile(", toch|hè|nietwaar|of|niet|klopt|juist|ja $", "^ toch|klopt|nietwaar $", "is het niet $", "of niet $", "nietwaar $", "niet waar $",
			"klopt dat|het $", "vindt u niet $"),
		good: compile("goed|goede|beter|betere|beste|best|geweldig*|prachtig*|fantastisch*|uitstekend*|perfect*|mooi|mooie|leuk|leuke|fijn|fijne",
			"makkelijk*|gemakkelijk*|eenvoudig*|simpel*|snel|snelle|sneller|handig*|nuttig*|behulpzaam|prettig*|duidelijk|duidelijke|veilig*|modern*|betrouwbaar*|gezond*|waardevol*",
			"genoten|geniet*|tevreden|blij|gelukkig|enthousias*|onder de indruk|houdt|plezier|voordel*"),
		bad: compile("slecht*|erger*|vreselijk*|verschrikkelijk*|afschuwelijk*|lelijk*|nutteloos|gevaarlijk*|schadelijk*|oneerlijk*|fout|dom|domme|vies|vieze",
			"frustrer*|vervelend*|irrita*|irriter*|ergerlijk*|teleurgest*|teleurstell*|moeilijk*|lastig*|langzaam|langzame|traag|trage|saai|saaie|duur|dure|ingewikkeld*|omslachtig*",
			"verwarr*|stress*|probleem|problemen|moeite|zorgen|bezorgd|bang|boos|verdrietig|ontevreden|haat|haten",
			"mislukt*|faalt|falen|verwaarlo*|lijdt|stoort|storen|misleid*|kapot|pijn*|riskant*|overdreven|verspil*|verouderd*"),
		hedges: compile("als .. al", "eventueel", "of er"),
		praise: compile("^ geweldig|super|prima|perfect|uitstekend|fantastisch|interessant|mooi|leuk|goed|fijn|bravo|precies|juist|wauw|top|gefeliciteerd|knap $|,|:",
			"^ heel|erg|zeer goed|interessant|mooi|fijn", "^ wat interessant|leuk|mooi|goed|fijn|erg|jammer|vreselijk|vervelend",
			"dat|het is|klinkt|was|vind .. geweldig|super|prima|perfect|uitstekend|fantastisch|interessant|mooi|vreselijk|erg|verschrikkelijk|begrijpelijk|frustrerend|vervelend|juist|fout|dom|leuk|knap",
			"goed|goede|mooi|mooie|uitstekend|uitstekende|interessant|interessante|geweldig|geweldige antwoord|antwoorden|punt|vraag|idee|opmerking|voorbeeld|inzicht",
			"goed gezegd|gedaan|bezig", "u|je heeft|hebt .. gelijk", "het spijt me", "wat spijt", "ik ben .. blij", "fijn om", "dat begrijp ik",
			"gefeliciteerd|proficiat|compliment*", "idioot|idioten|sukkel|stommeling|imbeciel|klootzak|eikel|stom|stomme|dom|domme|loser", "hou je mond|bek",
			"u bent .. dom|geweldig|slim|een|fantastisch"),
		promise: compile("u|je krijgt|ontvangt|wint|zult|zal .. euro|geld|cadeau|cadeaubon|prijs|beloning|ontvangen|krijgen|winnen|betaald|bon|vergoeding",
			"u|je heeft|hebt .. gewonnen|verdiend",
			"wij|we|ik zullen|zal|gaan|ga .. betalen|sturen|geven|overmaken|vergoeden|oplossen|repareren|terugbetalen|verwijderen|bellen|regelen",
			"we|ik|wij sturen|stuur|betalen|betaal|maken|maak u|je", "ik|we|wij beloof|beloven|garandeer|garanderen|verzeker|verzekeren",
			"is|zijn|blijft|blijven|worden|strikt|volledig|antwoorden .. vertrouwelijk|anoniem|geheim", "niemand zal|ziet|weet|leest|komt|anders",
			"cadeaubon*|cadeaukaart*|kortingscode*|tegoedbon*", "uw|je prijs|beloning|cadeau|vergoeding|bon|bonus|terugbetaling",
			"wordt|worden .. opgelost|gerepareerd|terugbetaald|verbeterd|gepubliceerd|verwijderd|betaald", "gratis .. voor u"),
		meta: compile("prompt|prompts|systeemprompt*|systeeminstructie*|systeembericht*", "taalmodel*", "als een|ai ai|assistent|kunstmatige|taalmodel",
			"als ai", "ik ben .. ai|assistent|kunstmatige|bot|robot|taalmodel",
			"mijn instructies|opdracht|opdrachten|regels|richtlijnen|ontwikkelaars|makers|programmering", "ik ben|werd .. geïnstrueerd|geprogrammeerd|opgedragen",
			"eerdere|vorige|verborgen|geheime|oorspronkelijke instructies|instructie", "ontwikkelaarsmodus", "gespreksleidraad|interviewleidraad|vragenlijst",
			"volgende vraag|vragen is|zijn|luidt|luiden"),
		interview: compile("interview|enquête|gesprek|onderzoek is|eindigt|wordt|stopt .. afgelopen|voorbij|klaar|beëindigd|afgerond|gesloten|hier|ten|nu",
			"beëindig*|stop|stoppen|sluit|afsluiten .. interview|enquête", "tot ziens", "vaarwel", "geen vragen meer", "geen verdere vragen"),
		introduction: compile("u zei|noemde|heeft|had|sprak|gebruikte|vertelde|beschreef|zegt", "toen u"),
	}
}
