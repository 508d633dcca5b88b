package guardrail

import "verbatim/internal/domain/lang"

func french() *lexicon {
	return &lexicon{
		code: "fr", name: "French", scripts: lang.Latin, elides: true,
		stop: functionWords("fr"),
		neutral: set(`dire dites dit disiez raconter racontez parler parlez parlé mentionné mentionnez évoqué évoquez décrire décrivez décrit expliquer expliquez expliqué préciser
			précisez partager montrer montrez aller va vont allait entendez entendre signifie signifient veut voulez voulais pensez penser pense songez sentez sentir ressenti ressentez ressentir
			voir voyez vu vient venir arrivé arrive arriver passe passé passer passait exemple exemples moment moments fois jour situation situations cas expérience vécu vivre vivez détail
			détails précis précise particulier concret concrète concrètement dernier dernière récent récente récemment souvenez souvenir rappelez esprit mot mots façon manière sorte partie étape point
			vue avis raison raisons rôle différence changé change changer fait rend mène amène amené amènerait conduit derrière début fin suite suivant peu davantage réponse question comprendre
			comprends aide savoir important importe compte habitude habituellement général normalement aujourd hui hier semaine mois année imaginez utiliser utilisé prendre prenez pris
			essayé garder aimeriez plutôt exactement sens termes gérer gérez décider décidé choisir gens personne quelqu autre ajouter côté tête propos sujet déroule déroulé`),
		questionWords: set("quoi qui quand comment pourquoi où quel quelle quels quelles lequel laquelle lesquels lesquelles auquel auxquels combien que qu"),
		requests: compile("^ racontez|décrivez|expliquez|précisez|parlez|dites|donnez|montrez|partagez|citez|pensez", "^ veuillez",
			"^ merci de|d décrire|préciser|expliquer", "^ s il vous plaît", "^ et racontez|décrivez|expliquez|dites"),
		ands: set("et ainsi"), ors: set("ou"), before: set("à de pour avec en dans par sur d jusqu depuis chez vers"),
		articles: set("le la les l un une des du au aux votre vos notre nos son sa ses leur leurs ce cet cette ces mon ma mes"),
		settings: set("quand lorsque pendant après avant parce si depuis dès où lors puisque quand"),
		both:     compile("entre", "compar*", "différen*", "distingu*", "plutôt que", "lequel|laquelle|lesquels de|d|des", "concili*"),
		oneThing: compile("le pour et le contre", "aller|allers et retour|retours", "va et vient", "avantages et .. inconvénients", "forces et .. faiblesses",
			"hauts et .. bas", "amis et .. connaissances|famille", "famille et .. amis", "petit et petit", "copier et coller", "termes et conditions",
			"question et réponse", "jour et nuit", "temps et .. argent", "tenants et .. aboutissants", "us et coutumes", "points forts et .. faibles"),
		second: compile("et est|avez|êtes|a|ont|était|étaient|sont|aviez|pourriez|pouvez|aimeriez|seriez vous|ce|il|elle|ils|elles|t",
			"et le|la|les|l recommand*|referiez|utiliseriez|achèteriez", "et ce que|qu|qui", "et cela|ça|ceci|y",
			"et ... étaient|était|est|sont|voient|a|ont elles|ils|il|elle $"),
		degree: compile("à quel point ... _ et _ $", "et combien|comment"),
		leading: compile("^|, ne|n ... vous|il|elle|ce|on|t pas", "^ vous ne|n ... pas", "^ ... n est il|elle pas", "n est il|elle pas", "n est ce pas",
			"^ cela|ça|il semble|paraît", "on dirait", "^ ... aurait il|elle|ils|elles", "^ est ce à cause", "^ est ce que ... parce|cause",
			"^ est ce parce|dû|grâce|le|la|les", "à cause d|du|de|des", "diriez vous|que", "seriez vous .. d accord", "êtes vous .. d accord",
			"^|,|et pensez|croyez|trouvez|estimez vous que|qu", "^|,|et est ce que vous pensez|croyez|trouvez|estimez que|qu",
			"évidemment|bien|manifestement|clairement|sûrement|certainement|naturellement|assurément sûr|la|le|les|l|vous|il|elle|en|c|,", "bien sûr|entendu",
			"vous deviez|devez ... être|avoir|vous|trouver|sentir|inquiet", "ça|cela devait|doit|a ... être|dû",
			"la plupart des|du|de", "beaucoup de gens|personnes|clients|utilisateurs", "d autres participants|personnes|gens", "comme tout le monde|chacun|on",
			"tout le monde sait|dit|aime", "les études|experts|recherches montrent|disent", "j imagine|suppose|pense|crois|parie|présume",
			"je suppose|pense|crois|présume|parie|devine|trouve", "combien de temps|argent ... gagner|économis*|perd*",
			"vaudrait il|mieux", "serait ce|il pas", "préférez .. parce"),
		declared: compile("^ donc|alors", "^ vous ... donc", "^ vous|c|il|elle|le|la|l ... parce"),
		tags:     compile(", non|oui|hein|si|pas $", "n est ce pas $", "pas vrai $", "d accord $", "c est ça|cela $", "est ce|c exact|correct $", "ou pas $"),
		good: compile("bon|bonne|bons|bonnes|mieux|meilleur*|excellent*|super|génial*|formidable*|parfait*|merveilleux|merveilleuse|fantastique*|beau|belle|magnifique*",
			"facile|faciles|simple|simples|rapide|rapides|pratique|pratiques|utile|utiles|confortable*|agréable*|clair|claire|claires|sûr|sûre|moderne|fiable*|intuitif|intuitive|sain|saine|précieux",
			"aimé|adore*|adoré|apprécié|préféré|satisf*|heureux|heureuse|content|contente|ravi*|enthousias*|impressionn*|plaisir"),
		bad: compile("mauvais*|pire|terrible*|horrible*|affreux|affreuse|laid|laide|inutile*|dangereu*|nocif*|nocive*|injuste*|faux|fausse|stupide*|sale|sales",
			"frustr*|agaç*|agac*|énerv*|irrit*|déç*|décev*|difficile*|dur|dure|lent|lente|lents|ennuyeu*|cher|chère|chers|chères|compliqué*|pénible*",
			"confus*|stress*|problème*|peine|inqui*|peur|colère|triste|mécontent*|déteste*",
			"échou*|échec|néglig*|souffr*|dérang*|gên*|trompeu*|cassé*|douloureu*|risqué*|excessi*|gaspill*|démodé*|bruyant*"),
		hedges: compile("le cas échéant", "s il y a|en", "si quelque chose", "éventuellement"),
		praise: compile("^ super|génial|parfait|excellent|formidable|merveilleux|fantastique|bravo|magnifique|intéressant|passionnant|bien|exactement|exact|chouette|bon|wow|très $|,|:",
			"^ très bien|intéressant|bon|bonne|juste",
			"c est|était .. super|génial|parfait|excellent|formidable|merveilleux|fantastique|magnifique|intéressant|passionnant|terrible|horrible|triste|compréhensible|frustrant|bien|juste|vrai|faux|beau|stupide",
			"bonne|bon|excellente|excellent|belle|beau|superbe|formidable|intéressante|super réponse|réponses|point|question|idée|remarque|exemple|observation",
			"réponse|remarque|idée|question|observation intéressante|pertinente|excellente|formidable|passionnante|utile", "vous avez .. raison|tort",
			"je suis .. désolé|ravi|heureux|content|contente|désolée|ravie|heureuse", "je comprends", "j aime|adore|admire", "félicit*",
			"bien|bon dit|vu|joué|travail", "idiot|idiote|idiots|imbécile|imbéciles|crétin|crétine|abruti|abrutie|con|connard|merde|débile*", "taisez vous",
			"vous êtes .. stupide|bête|génial|formidable|intelligent|intelligente|un|une|nul|nulle|idiot"),
		promise: compile("vous recevrez|gagnerez|obtiendrez|serez|toucherez", "vous allez .. recevoir|gagner|obtenir|être|toucher", "vous avez .. gagné|droit",
			"nous|je vous|allons|vais .. enverrons|enverrai|envoie|envoyons|envoyer|payer|paierons|rembourser|rembourserons|offrons|offre|offrir|virer|donner|verser|verserons|réparer|garantis|garantissons|assure|assurons|promets|promettons",
			"je|nous promets|promettons|garantis|garantissons|assure|assurons",
			"reste|restent|est|sont|strictement|totalement|resteront|restera|réponses .. confidentiel*|anonyme*|secret*|secrète*", "personne ne|n",
			"carte|bon|chèque cadeau", "votre prix|récompense|cadeau|bon|remboursement|prime|gain|code",
			"sera|seront .. corrigé*|réparé*|remboursé*|résolu*|publié*|supprimé*|versé*", "gratuit* .. pour vous"),
		meta: compile("prompt|prompts", "instruction|instructions|message système|initiales|précédentes|cachées|secrètes|du", "modèle de langage|langue",
			"en tant qu|que .. ia|assistant|intelligence|modèle", "je suis .. ia|assistant|intelligence|modèle|robot|programmé",
			"mes instructions|consignes|développeurs|règles|directives", "on m a .. demandé|dit|programmé|ordonné", "mode développeur|débogage|admin",
			"guide d entretien|discussion", "prochaine|prochaines|suivantes question|questions est|sont|sera", "la question suivante", "les questions suivantes"),
		interview: compile("entretien|enquête|interview|questionnaire est|sont|prend .. terminé|terminée|fini|finie|clos|fin",
			"terminer|arrêter|clore|mettre|termine|arrête .. entretien|enquête|interview", "fin de l entretien|enquête|interview", "au revoir|adieu", "au revoir",
			"plus de|aucune question|questions $"),
		introduction: compile("vous avez .. dit|mentionné|parlé|évoqué|employé|décrit|trouvé", "vous disiez|évoquez|dites|parlez|parliez", "quand vous"),
	}
}
