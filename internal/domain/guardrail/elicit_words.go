package guardrail

// elicitLists holds the lists by language code; see elicitWords.
var elicitLists = map[string]*elicitWords{
	"en": {
		start: `please|kindly|then|and|(?:can|could|would|will|must|should|might) you(?: please| kindly| just| now| also| quickly)?|(?:need|want|ask|require|invite|like) you to`,
		give: `type|enter|key in|put in|fill in|insert|input|write(?: down)?|share|send|give|tell|read(?: out)?|provide|confirm|verify|repeat|state|spell(?: out)?|dictate|
			submit|reveal|paste|say|leave|note|supply|disclose|show|upload|text`,
		frame: `(?:what(?:'?s| is| are| was| were)|may (?:i|we) (?:have|know)|(?:can|could) (?:i|we) (?:have|get|know)|(?:tell|give|send) (?:me|us)|let (?:me|us) (?:know|have)|we need|i need) (?:\S+ ){0,4}?
			(?:your|ur)(?: \S+){0,3}?|(?:what|which) (?:\S+ ){0,2}?(?:number|digits|code)s? (?:is|are|was)? ?(?:on|of|printed on) (?:\S+ ){0,6}?(?:the|your)(?: \S+){0,2}?`,
		secret: `pass ?words?|pass ?codes?|pass ?phrases?|log ?-?in (?:details|data|name)|credentials|pins?|pin (?:code|number)|otp|tan|cvv|cvc|iban|ssn|sort code|
			(?:one[- ]time|security|verification|access|confirmation|sms|activation|log ?in|authenticat\w+|(?:\w+[- ])?digit|secret|recovery|backup|unlock) codes?|
			social security(?: number)?|(?:credit|debit|bank|payment|giro)[ -]?cards?(?: numbers?| details)?|cards? (?:number|details)|(?:bank |account |bank account |routing )(?:numbers?|details)|bank account|
			(?:passport|id|identity|identity card|identification|national insurance|insurance|driv\w+ licen[cs]e|tax|nhs|national id|social insurance)(?: card)? (?:numbers?|no)|passport|
			(?:phone|telephone|mobile|cell|whatsapp|landline)(?: phone)?(?: numbers?| no)|e-?mail address(?:es)?|e-?mail|(?:home|postal|street|mailing|full|exact|private|house|residential|current|delivery) address|address|
			(?:full|real|legal|last|family|maiden|sur) ?names?|first(?: name)? and last names?|(?:date|day) of birth|birth ?date|house number|post ?code|zip code`,
		topic: `how|why|about|when|whether|if|who|where|like|think|thinking|feel|opinion|view|experience`,
		after: `manager|rules?|polic|habit|routine|strateg|reset|setting|apps?|scheme|experience|part(?:y|ies)|change|problem|box|inbox|provider|program|list|newsletter|like|style|system`,
		private: []string{
			`(?:what|which)(?:'s| is| was)?(?: the)? (?:\S+[ -]){0,2}?(?:digits?|security|verification|sms|one-time|access|confirmation)[ -]?(?:\S+ )?codes?(?: \S+){0,5}? (?:get|got|receive|received|sent|arrive|arrived|see|have)`,
			`(?:what|which)(?:'s| is| was)? (?:the )?(?:\S+ )?code (?:that )?(?:we|i|you)(?:'ve| have)?(?: just)? (?:sent|texted|got|received|get|were sent)`,
			`(?:numbers?|digits|code) (?:is |are |printed |that is )?(?:on|of|from) (?:\S+ ){0,6}?(?:the|your) (?:\S+ ){0,2}?cards?`,
			`{start}(?:type|enter|paste|send|read out|share|forward)(?: \S+){0,3}? code|(?:which|what) (?:passwords?|pin|passcode)(?: \S+){0,3}? (?:do|did|have|are) you (?:use|set|choose|pick|type|enter)`,
			`when (?:exactly )?were you born|(?:what|which)(?: \S+){1,8} were you born (?:on|in)?(?: the)?(?: day|$|\W*$)|(?:on|in|what|which) (?:what|which)?(?: ?exact)? ?(?:day|date)[^.?!]{0,30} born|(?:day|date), month and year`,
			`(?:what|which) (?:street|house number|road)|where exactly do you live|(?:street|road) and (?:house |door )?number|what(?:'s| is) your name`,
			`{start}(?:give|tell|write|type|state|say|leave|enter)(?: me| us)? your name`,
			`(?:what|which) (?:\S+ )?(?:number|e-?mail(?: address)?|address|phone)[^.?!]{0,20}(?:can|may|could|should|shall|do) (?:i|we) (?:reach|contact|call|ring|write|phone|text|e-?mail|send)`,
			`how (?:can|may|could|should) (?:i|we) (?:reach|contact|call|phone|e-?mail) you`,
		},
		away: []string{
			`{start}(?:call|ring|phone|dial|text|message|write|e-?mail|contact|reach|whatsapp)(?: to| out to)? (?:us|me|our|the following|this|the number|support|back|\+?\d)`,
			`{start}(?:visit|go to|open|see|check|check out|browse to|head to|log in(?:to)? (?:at|on|to)?|sign (?:in|up)(?: at| on)?|register (?:at|on)|follow|click(?: on)?|tap(?: on)?|press on) (?:our|the|this|my|that|following) ?
				(?:\S+ ){0,2}?(?:web ?)?(?:site|page|link|url|profile|channel|form|account|address|portal|button)`,
			`{start}(?:click|tap)(?: on)? (?:here|below|it)`,
			`{start}(?:install|download|open|get|run|start)(?: \S+){0,4}? (?:app|application|software|program|tool|extension|plug-?in|file|attachment|any ?desk|team ?viewer)`,
			`{start}scan(?: \S+){0,3}? (?:code|qr)`,
			`{start}(?:transfer|send|pay|wire|deposit|donate|remit)(?: (?:us|me))?(?: \S+){0,3}? ?(?:\d+|[$€£¥]|money|a fee|the fee|bitcoins?|crypto|gift cards?|dollars|euros|pounds)`,
			`{start}(?:pay|buy)(?: \S+){0,6}? (?:to|before you) (?:continue|go on|unlock|proceed|take part)`,
			`{start}(?:add|follow|message|write|contact|find|text|join)(?: to)? (?:us|me|our)(?: \S+){0,3}? ?(?:telegram|whatsapp|signal|wechat|viber|discord|skype|instagram|snapchat|facebook|messenger|line)`,
			`our (?:phone |telephone |hotline )?number is|call us (?:on|at)|visit our (?:web ?)?(?:site|page) (?:at|and|to)|(?:telegram|wechat|whatsapp|skype|discord)(?: id| handle| name)? ?(?::|is) ?\S+`,
		},
	},
	"de": {
		start: `bitte|dann|und|(?:konnen|konnten|wurden|wollen|sollen|mussen|durfen|mochten) sie(?: bitte| uns| mir| mal| kurz| nun| jetzt| auch)*|(?:kannst|konntest|wurdest) du(?: bitte| uns| mir| mal| kurz)*|bitte(?: einmal| mal| kurz)?`,
		give: `geben|gib|tippen|tippe|eingeben|schreiben|schreib|nennen|nenne|sagen|sag|senden|schicken|schick|mitteilen|teilen|teile|verraten|verrate|bestatigen|bestatige|wiederholen|vorlesen|lesen|buchstabieren|buchstabiere|
			diktieren|ubermitteln|eintragen|tragen|hinterlassen|angeben|zeigen`,
		frame: `(?:was|wie) (?:ist|sind|war|lautet|lauten|heisst) (?:denn |bitte |genau )*(?:ihr|ihre|ihren|dein|deine|die|der|das)(?: \S+){0,3}?|(?:brauche|brauchen|benotige|benotigen) (?:wir |ich )?(?:noch |bitte )?(?:ihr|ihre|ihren)(?: \S+){0,2}?|
			welche[ns]?(?: \S+){0,1}?|(?:verraten|nennen|sagen|geben) sie (?:mir|uns)(?: bitte)? (?:ihr|ihre|ihren)(?: \S+){0,2}?`,
		secret: `passw\p{L}+|kennw\p{L}+|zugangsdaten|anmeldedaten|login-?daten|pin(?:-?nummer|-?code)?|geheimzahl|(?:sms-?|bestatigungs-?|sicherheits-?|zugangs-?|einmal-?|freischalt-?|verifizierungs-?|pruf-?)(?:code|tan|zahl|ziffer|passwort|nummer)|
			(?:\p{L}+stellig\p{L}*) code|(?:nummer|zahl|ziffern) (?:ihrer|auf ihrer|ihres|auf der|auf) ?(?:\S+ )?(?:kredit|bank|ec-?|giro|debit)?-?karte|kreditkarten\p{L}*|kartennummer|kontonummer|bankverbindung|iban|kontodaten|bankdaten|
			(?:personal)?ausweis(?:es|nummer|-?nr)|(?:reise)?passnummer|nummer ihres (?:personal|reise|)\p{L}*|steuer-?(?:id|nummer|identifikationsnummer)|sozialversicherungsnummer|versichertennummer|(?:handy|telefon|mobil|ruf)\p{L}*nummer|rufnummer|
			e-?mail-?adresse|mailadresse|(?:post|wohn|heim|privat)?anschrift|(?:post|wohn|heim|privat)-?adresse|adresse|wohnort|hausnummer|postleitzahl|(?:voll\p{L}* |vor- und |nach)\p{L}*name\p{L}*|nachname\p{L}*|vornamen? und \p{L}+|geburtsdatum|geburtstag|geburtsname|madchenname|vollen namen|voller name`,
		topic: `warum|wieso|weshalb|wenn|uber|woran|wofur|wozu|wobei|inwiefern|merken|bei|mit dem umgang|sich|erinner\p{L}*|benutz\p{L}*|nutz\p{L}*|verwend\p{L}*`,
		after: `-?manager|regel|wechsel|verwalt`,
		private: []string{
			`(?:konnen|konnten|wurden|wollen|mochten) (?:sie|du) (?:[^.,?!]{0,30} )?{secret} [^.,?!]{0,20}(?:nennen|geben|eingeben|eintippen|eintragen|sagen|mitteilen|senden|schicken|bestatigen|angeben|verraten|teilen|wiederholen|hinterlassen)`,
			`wann (?:genau )?(?:sind|bist|wurden) (?:sie|du) geboren|(?:tag|datum),? (?:und )?monat und jahr|an welchem (?:tag|datum)[^.?!]{0,40}geboren`,
			`welche[nr]? (?:\S+ )?(?:code|tan|zahlen|ziffern)[^.?!]{0,20} (?:haben|hat|wurde|steht|stehen|erhalten|bekommen|kam)`,
			`wie (?:lautet|ist|heisst|war) (?:der|die|das|ihre?r?) (?:\S+ )?(?:code|tan|sms-code)`,
			`in welcher strasse|welche (?:strasse|hausnummer)|strasse und hausnummer|wo genau wohnen sie|wie (?:heissen sie|ist ihr (?:vor|nach|voller|vollstandiger)?\p{L}* ?name|lautet ihr (?:\S+ )?name)|wie ist ihr name`,
			`(?:unter|auf|an|uber|bei) welche[rnm]? (?:\S+ )?(?:telefon|handy|ruf|mail|e-?mail|nummer|adresse)\p{L}*[^.?!]{0,10} (?:konnen|durfen|sollen|erreichen)|wie (?:konnen|durfen) wir sie (?:erreichen|kontaktieren|anrufen)`,
		},
		away: []string{
			`{start}(?:rufen|ruf|melden|melde|wahlen|kontaktieren|erreichen|schreiben|schreib|mailen|simsen|texten|senden|schicken)(?: \S+){0,2}? (?:uns|mich|unsere?n?|unter|an|bei|\+?\d)`,
			`(?:konnen|konnten|wurden|wollen|mochten|sollen|mussen) sie [^.,?!]{0,48}(?:anrufen|zuruckrufen|anklicken|herunterladen|installieren|einscannen|scannen|uberweisen|abscannen)`,
			`{start}(?:klicken|klick|tippen|tippe|drucken|besuchen|besuch|offnen|offne|gehen|geh|folgen|folge|rufen)(?: sie)?(?: bitte| doch| nun| jetzt)* (?:auf |zu |in |an |uns )?(?:den|die|das|dem|der|unsere?n?|unserer|hier|diese[nrms]?|folgende[nrms]?) ?(?:\S+ ){0,2}?
				(?:link|links|seite|webseite|website|internetseite|homepage|button|formular|profil|hier|adresse|konto)`,
			`{start}(?:installieren|installiere|laden|lade|starten|offnen|offne)(?: \S+){0,5}? (?:app|anwendung|software|programm|erweiterung|datei|anhang|any ?desk|team ?viewer)`,
			`{start}(?:scannen|scanne|fotografieren|lesen|scan)(?: \S+){0,4}? (?:qr|code)`,
			`{start}(?:uberweisen|uberweise|zahlen|zahle|bezahlen|spenden|senden|schicken)(?: \S+){0,4}? ?(?:\d+|euro|geld|gebuhr|betrag|gutscheinkarten?|bitcoins?)`,
			`unsere (?:telefon|handy|ruf)?-?nummer(?: ist| lautet|:)|schreiben sie uns|rufen sie (?:uns|mich)|besuchen sie unsere|mehr dazu (?:unter|auf)|auf (?:telegram|whatsapp|signal|instagram) (?:an|unter|bei)`,
		},
	},
	"fr": {
		start: `merci de|veuillez|svp|s'il vous plait|puis|et|(?:pouvez|pourriez|voulez|voudriez|devez)[- ]vous(?: nous| me| bien| maintenant)*|(?:peux|pourrais)[- ]tu(?: nous| me)*|vous (?:pouvez|devez)|il faut`,
		give: `taper|tapez|saisir|saisissez|entrer|entrez|ecrire|ecrivez|donner|donnez|indiquer|indiquez|envoyer|envoyez|communiquer|communiquez|partager|partagez|confirmer|confirmez|fournir|fournissez|dicter|dictez|
			repeter|repetez|preciser|precisez|dire|dites|epeler|epelez|transmettre|transmettez|inscrire|inscrivez|laisser|laissez|lire|lisez|noter|notez|renseigner|renseignez|montrer|montrez`,
		frame: `(?:quel(?:le)?s? (?:est|sont|etait)|c'est quoi|puis-je avoir|pouvons-nous avoir|peut-on avoir|j'ai besoin de|il (?:me|nous) faut) (?:\S+ ){0,3}?(?:votre|vos|ton|ta|tes|le|la|les|l')(?: ?\S+){0,3}?|(?:quel|quels|quelle|quelles) (?:\S+ )??`,
		secret: `mots? de passe|code (?:pin|secret|confidentiel|de securite|de verification|de confirmation|sms|recu|d'acces|a \S+ chiffres)|codes? recus?|pin|cvv|cryptogramme|identifiants(?: de connexion)?|iban|rib|numeros? de (?:votre |la |ta )?(?:carte|compte|telephone|portable|mobile|securite sociale|passeport|piece|cni|permis|secu|rue|tel)\p{L}*(?: \S+)?|
			numero (?:fiscal|national|d'identite|d'identification|de la carte)|numero figur\S+|carte (?:bancaire|d'identite|bleue|de credit)|coordonnees(?: bancaires)?|compte bancaire|adresse (?:postale|complete|exacte|personnelle|e-?mail|mail|electronique|du domicile)|adresse|e-?mail|courriel|
			nom complet|nom de famille|nom et (?:votre )?prenom|prenom et (?:votre )?nom|nom de jeune fille|date (?:complete )?de naissance|jour de naissance|numero de maison|code postal`,
		topic: `comment|pourquoi|quand|si|lorsque|retenir|memoriser|rapport|pensez|penser|avez|utilisez|choisi\p{L}*|preferez|role|difference|lien|souvenir`,
		after: `manager|preferee?|ideal`,
		private: []string{
			`quand (?:exactement )?etes-vous nee?|(?:quel|a quel) jour[^.?!]{0,50} nee?|jour, (?:le )?mois et (?:l')?annee`,
			`quel (?:est le |etait le )?code [^.?!]{0,20}(?:recu|envoye|recevoir|vient)|quel code (?:a|avez)`,
			`dans quelle rue|quelle rue|rue et (?:a )?(?:quel )?numero|a quel numero habitez|ou habitez-vous exactement|comment vous appelez|quel est votre (?:nom|prenom)`,
			`(?:a|sur|par) quel(?:le)? (?:\S+ )?(?:numero|adresse|e-?mail|telephone|mail|courriel)[^.?!]{0,40}(?:pouvons|peut|puis|joindre|contacter|rappeler|ecrire)|comment (?:pouvons-nous|peut-on|puis-je) vous (?:joindre|contacter|rappeler)`,
		},
		away: []string{
			`{start}(?:nous |me )?(?:appeler|appelez|telephoner|telephonez|joindre|joignez|contacter|contactez|ecrire|ecrivez|rappeler|rappelez|composer|composez|envoyer|envoyez)(?:-| )?(?:nous|moi|au|a|le|sur|notre|un|ce)`,
			`{start}(?:cliquer|cliquez|visiter|visitez|ouvrir|ouvrez|aller|allez|suivre|suivez|consulter|consultez|rendez-vous|vous rendre|connectez-vous|inscrivez-vous|appuyez|touchez|vous connecter)(?: \S+){0,3}? ?(?:lien|site|page|url|bouton|ici|formulaire|profil|adresse|compte|dessous)`,
			`{start}(?:installer|installez|telecharger|telechargez|lancer|lancez|ouvrir|ouvrez)(?: \S+){0,4}? ?(?:l'app\S*|app\S*|logiciel|programme|fichier|extension|piece jointe|any ?desk|team ?viewer)`,
			`{start}(?:scanner|scannez|flasher|flashez|photographier|photographiez)(?: \S+){0,4}? ?(?:code|qr)`,
			`{start}(?:nous |me )?(?:verser|versez|virer|virez|payer|payez|envoyer|envoyez|transferer|transferez|donner|regler|reglez)(?:-nous|-moi)?(?: \S+){0,3}? ?(?:\d+|euros?|argent|frais|somme|bitcoins?|cartes? cadeaux?)`,
			`notre numero(?: est| :|:)|contactez-nous|ecrivez-nous|appelez-nous|dites-le sur|sur (?:telegram|whatsapp|signal|instagram) (?:a|au|via)`,
		},
	},
	"es": {
		start: `por favor|luego|y|(?:puede|podria|puedes|podrias|quiere|querria|debe|tiene que|necesito que|necesitamos que)(?: usted)?(?: por favor)?`,
		give: `escribir\p{L}*|escriba\p{L}*|escribe\p{L}*|teclear|teclee|introducir|introduzca|introduce|ingresar|ingrese|ingresa|dar\p{L}*|de|deme|denos|danos|decir\p{L}*|diga\p{L}*|dime|dinos|enviar\p{L}*|envie\p{L}*|compartir\p{L}*|comparta|confirmar\p{L}*|confirme\p{L}*|
			indicar\p{L}*|indique\p{L}*|facilitar\p{L}*|facilite\p{L}*|repetir|repita|dictar\p{L}*|dicte\p{L}*|proporcionar\p{L}*|proporcione\p{L}*|deletrear|deletree|mandar\p{L}*|mande\p{L}*|pasar\p{L}*|pase\p{L}*|leer\p{L}*|lea\p{L}*|poner|ponga|anotar|anote|dejar\p{L}*|deje\p{L}*`,
		frame: `(?:cual(?:es)? (?:es|son|era)|que (?:es|son)|me da|nos da|necesito|necesitamos) (?:\S+ ){0,3}?(?:su|sus|tu|tus|el|la|los)(?: \S+){0,3}?|que (?:\S+ )??`,
		secret: `contrasenas?|clave(?: de acceso| secreta| bancaria)?|codigo (?:pin|secreto|de seguridad|de verificacion|de confirmacion|sms|de acceso|de \S+ (?:digitos|cifras))|pin|cvv|cvc|credenciales|iban|numeros? de (?:su |la |tu )?(?:cuenta|tarjeta|telefono|movil|celular|pasaporte|documento|dni|identidad|identificacion|seguridad social|seguro social)\p{L}*(?: \S+)?|
			numero (?:de la|que aparece en la|que figura en la) (?:\S+ )?tarjeta|dni|nif|nie|curp|cedula|cuenta bancaria|datos bancarios|tarjeta de (?:credito|debito)|direccion (?:postal|completa|exacta|de correo|electronica|de su casa)|direccion|correo electronico|domicilio|
			nombre completo|nombre y (?:sus? )?apellidos?|apellidos?|fecha (?:completa )?de nacimiento|codigo postal|numero de casa`,
		topic: `como|por que|cuando|si|sobre|recordar|recuerda|opina|piensa|parece|usa|utiliza|prefiere|cambio|relacion|diferencia|mudar\p{L}*`,
		after: `ideal|favorit`,
		private: []string{
			`cuando nacio|(?:que|cual) (?:dia|fecha)[^.?!]{0,30}naci|dia, (?:el )?mes y (?:el )?ano`,
			`(?:que|cual es el|cual era el) codigo [^.?!]{0,30}(?:recib|lleg|envi|mand)|codigo que (?:le|te|ha|acaba)`,
			`en que calle|que calle|calle y (?:en que )?numero|donde vive exactamente|como se llama|cual es su nombre`,
			`(?:a|en|con|por) que (?:\S+ )?(?:numero|telefono|correo|e-?mail|direccion)[^.?!]{0,30}(?:podemos|puedo|podriamos|llamar|contactar|escribir)|como podemos (?:contactar|localizar|llamar)`,
		},
		away: []string{
			`{start}(?:llamar\p{L}*|llame\p{L}*|llama\p{L}*|telefonear\p{L}*|telefonee\p{L}*|marcar|marque|contactar\p{L}*|contacte\p{L}*|escribir\p{L}*|escriba\p{L}*|escribe\p{L}*|mandar\p{L}*|mande\p{L}*|enviar\p{L}*|envie\p{L}*)(?: \S+){0,2}? ?(?:al|a|nos|nuestro|nuestra|por)(?: (?:telegram|whatsapp|correo|\d|numero|siguiente|nosotros|telefono|este|esta|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)|nos)`,
			`{start}(?:llamarnos|llamenos|llamanos|escribirnos|escribanos|contactarnos|contactenos|agregarnos|agreguenos)`,
			`{start}(?:haga|hacer|haz|dar|de|pulsar|pulse|pinchar|pinche|visitar|visite|visita|entrar|entre|entra|abrir|abra|abre|ir|vaya|ve|seguir|siga|acceder|acceda|registrese|inicie sesion)(?: \S+){0,4}? ?(?:clic|enlace|sitio|pagina|web|url|boton|aqui|formulario|perfil|link|vinculo)`,
			`{start}(?:instalar|instale|instala|descargar|descargue|descarga|bajar|baje|abrir|abra)(?: \S+){0,4}? ?(?:app|aplicacion|programa|software|archivo|extension|adjunto|any ?desk|team ?viewer)`,
			`{start}(?:escanear|escanee|escanea|leer|lea|enfocar|enfoque)(?: \S+){0,4}? ?(?:codigo|qr)`,
			`{start}(?:transferir\p{L}*|transfiera\p{L}*|pagar\p{L}*|pague\p{L}*|enviar\p{L}*|envie\p{L}*|ingresar\p{L}*|depositar\p{L}*|deposite\p{L}*|hacer una transferencia|abonar|abone)(?: \S+){0,3}? ?(?:\d+|euros?|pesos|dolares|dinero|tarifa|cuota|bitcoins?)`,
			`nuestro numero(?: es|:)|contactenos|escribanos|llamenos|por (?:telegram|whatsapp|signal|instagram) (?:a|al)`,
		},
	},
	"pt": {
		start: `por favor|depois|e|(?:pode|poderia|podes|quer|queria|deve|tem que|tem de|preciso que|precisamos que)(?: (?:voce|nos|me|por favor))*`,
		give: `digitar|digite|digita|escrever\p{L}*|escreva\p{L}*|inserir|insira|introduzir|introduza|informar|informe|informa|dar|de|dizer|diga\p{L}*|enviar\p{L}*|envie\p{L}*|partilhar|partilhe|compartilhar|compartilhe|confirmar|confirme|indicar|indique|fornecer|forneca|
			repetir|repita|ditar|dite|passar|passe|soletrar|soletre|mandar|mande|ler|leia|preencher|preencha|colocar|coloque|deixar|deixe|anotar|anote|mostrar|mostre`,
		frame: `(?:qual|quais) (?:e|sao|era|foi) (?:\S+ ){0,3}?(?:o|a|os|as|seu|sua|seus|suas|teu|tua)(?: \S+){0,4}?|(?:preciso|precisamos) (?:do|da|de) (?:seu|sua)(?: \S+){0,2}?|que (?:\S+ )??`,
		secret: `senhas?|palavras?-passe|codigo (?:pin|secreto|de seguranca|de verificacao|de confirmacao|sms|de acesso|de \S+ (?:digitos|algarismos))|pin|cvv|cvc|credenciais|iban|nib|chave pix|pix|numeros? d[aoe]s? (?:seu |sua |teu )?(?:conta|cartao|telefone|telemovel|celular|passaporte|documento|identidade|identificacao|cpf|rg|bi|seguranca social|contribuinte)\p{L}*(?: \S+)?|
			numero (?:que aparece|que esta|na frente|do cartao)|cpf|rg|nif|conta bancaria|dados bancarios|cartao de (?:credito|debito)|agencia|endereco (?:completo|postal|exato|residencial|de e-?mail|de casa)|endereco|morada|e-?mail|nome completo|nome e (?:o )?(?:seu )?(?:sobrenome|apelido)|sobrenome|apelido|data (?:completa )?de nascimento|cep|codigo postal|numero da casa`,
		topic: `como|por que|porque|quando|se|sobre|lembrar|lembra|acha|pensa|usa|utiliza|prefere|mudou|relacao|diferenca|mudar`,
		after: `ideal|favorit|preferid`,
		private: []string{
			`quando (?:e que )?nasceu|(?:que|qual) (?:dia|data)[^.?!]{0,30}nasce|dia, (?:o )?mes e (?:o )?ano`,
			`(?:que|qual e o|qual era o|qual o) codigo [^.?!]{0,30}(?:receb|cheg|envi|mand)|codigo que (?:lhe|te|acabou|recebeu|chegou)`,
			`em que rua|que rua|rua e (?:em que )?numero|onde (?:e que )?mora exatamente|como se chama|qual e (?:o )?seu nome|onde vive exatamente`,
			`(?:em|para|por|a|com) que (?:\S+ )?(?:numero|telefone|telemovel|celular|e-?mail|endereco|morada)[^.?!]{0,30}(?:podemos|posso|contact|ligar|escrever|falar)|como podemos (?:contact|ligar|falar)`,
			`em qual (?:numero|telefone|e-?mail|endereco)[^.?!]{0,30}(?:podemos|posso|contat|ligar)`,
		},
		away: []string{
			`{start}(?:ligar|ligue|liga|telefonar|telefone|discar|disque|marcar|marque|contactar|contacte|contatar|contate|escrever|escreva|mandar|mande|enviar|envie)(?:-nos|-me)?(?: \S+){0,2}? ?(?:para|ao|a|no|pelo|nos|nosso|nossa|\d|-nos)`,
			`{start}(?:clicar|clique|clica|visitar|visite|visita|abrir|abra|abre|ir|va|seguir|siga|acessar|acesse|aceder|aceda|entrar|entre|toque|tocar|carregar|carregue)(?: \S+){0,4}? ?(?:link|ligacao|site|pagina|url|botao|aqui|formulario|perfil|hiperligacao)`,
			`{start}(?:instalar|instale|instala|baixar|baixe|descarregar|descarregue|transferir|transfira|abrir|abra)(?: \S+){0,4}? ?(?:app|aplicativo|aplicacao|programa|software|arquivo|ficheiro|extensao|anexo|any ?desk|team ?viewer)`,
			`{start}(?:escanear|escaneie|digitalizar|digitalize|ler|leia|apontar|aponte|fotografar|fotografe)(?: \S+){0,5}? ?(?:codigo|qr)`,
			`{start}(?:transferir|transfira|pagar|pague|enviar|envie|depositar|deposite|fazer um pix|faca um pix|mandar|mande)(?:-nos|-me)?(?: \S+){0,3}? ?(?:\d+|euros?|reais|dinheiro|taxa|valor|bitcoins?|pix)`,
			`nosso numero(?: e|:)|contacte-nos|escreva-nos|ligue-nos|ligue para|no (?:telegram|whatsapp|signal|instagram) (?:para|a|ao)`,
		},
	},
	"it": {
		start: `per favore|per cortesia|poi|e|(?:puo|potrebbe|puoi|potresti|vuole|vorrebbe|deve)(?: per favore)?|prego|le chiedo di`,
		give: `digitare|digiti|digita|inserire|inserisca|inserisci|scrivere|scriva|scrivi|scriverci|scrivermi|dare|dia|darci|darmi|ci dia|mi dia|dire|dica|dirci|dirmi|ci dica|mi dica|inviare|invii|inviarci|condividere|condivida|confermare|confermi|indicare|indichi|indicarci|fornire|fornisca|fornirci|
			ripetere|ripeta|dettare|detti|comunicare|comunichi|comunicarci|leggere|legga|mandare|mandi|compilare|compili|mettere|metta|lasciare|lasci|lasciarci|mostrare|mostri`,
		frame: `(?:qual e|quale e|quali sono|qual era|mi dice|ci dice|mi da|ci da|mi serve|ci serve) (?:\S+ ){0,3}?(?:il|lo|la|i|le|suo|sua|tuo|tua|l')(?: ?\S+){0,4}?|(?:che|quale) (?:\S+ )??`,
		secret: `password|parola d'ordine|codice (?:pin|segreto|di sicurezza|di verifica|di conferma|sms|otp|di accesso|a \S+ cifre|di \S+ cifre|fiscale)|pin|otp|cvv|cvc|credenziali|iban|numero (?:della|del|di|dell') ?(?:suo |sua |tua |tuo )?(?:carta|conto|telefono|cellulare|passaporte|passaporto|documento|identita|patente|tessera)\p{L}*(?: \S+)?|numero sul \S+ della|
			codice fiscale|conto (?:corrente|bancario)|coordinate bancarie|carta (?:di credito|di debito|d'identita|di identita)|indirizzo(?: (?:completo|postale|esatto|di casa|e-?mail|di posta))?|domicilio|e-?mail|nome e (?:il )?(?:suo )?cognome|cognome|nome completo|data (?:completa )?di nascita|cap|numero civico|numero di telefono`,
		topic: `come mai|perche|quando|se|riguardo|ricordare|ricorda|pensa|usa|utilizza|preferisce|cambiato|rapporto|differenza|trasloco|a decidere`,
		after: `ideale|preferit`,
		private: []string{
			`quando (?:e|sei) nat[oa]|(?:che|quale) (?:giorno|data)[^.?!]{0,30}nat[oa]|giorno, (?:il )?mese e (?:l')?anno`,
			`(?:che|quale|qual e il|qual era il) codice [^.?!]{0,30}(?:ricevut|arrivat|inviat|mandat)|codice che (?:le|ti|ha)`,
			`in (?:che|quale) via|(?:che|quale) via|via e (?:a che )?numero|dove abita esattamente|come si chiama, nome|nome e cognome|qual e il suo nome`,
			`(?:a|su|con) (?:che|quale) (?:\S+ )?(?:numero|telefono|cellulare|e-?mail|indirizzo)[^.?!]{0,40}(?:possiamo|posso|contatt|chiam|scriv|richiam)|come possiamo (?:contatt|raggiung|chiam)`,
		},
		away: []string{
			`{start}(?:chiamare|chiami|chiama|chiamarci|ci chiami|telefonare|telefoni|telefonarci|contattare|contatti|contattarci|ci contatti|scriverci|ci scriva|scriva|comporre|componga)(?: \S+){0,2}? ?(?:al|allo|a|su|ci|il|nostro|nostra|\d|zero|tre|uno)`,
			`{start}(?:cliccare|clicchi|clicca|visitare|visiti|visita|aprire|apra|apri|andare|vada|vai|seguire|segua|accedere|acceda|entrare|entri|toccare|tocchi|premere|prema)(?: \S+){0,4}? ?(?:link|sito|pagina|url|pulsante|bottone|qui|modulo|profilo|collegamento)`,
			`{start}(?:installare|installi|installa|scaricare|scarichi|scarica|aprire|apra)(?: \S+){0,4}? ?(?:app|applicazione|programma|software|file|estensione|allegato|any ?desk|team ?viewer|l'app\S*)`,
			`{start}(?:scansionare|scansioni|scansiona|inquadrare|inquadri|inquadra|fotografare|fotografi|leggere|legga)(?: \S+){0,4}? ?(?:codice|qr)`,
			`{start}(?:versare|versi|versarci|pagare|paghi|bonificare|trasferire|trasferisca|inviare|invii|inviarci|mandare|mandi|fare un bonifico|faccia un bonifico|donare)(?: \S+){0,3}? ?(?:\d+|euro|soldi|denaro|quota|somma|bitcoins?)`,
			`il nostro numero(?: e|:)|ci contatti|ci scriva|ci chiami|su (?:telegram|whatsapp|signal|instagram) (?:a|al)`,
		},
	},
	"nl": {
		start: `alstublieft|aub|graag|dan|en|(?:kunt|kan|zou|zoudt|wilt|wil|moet|mag) (?:u|je|jij)(?: (?:ons|mij|me|alstublieft|even|nu|ook|kunnen))*|gelieve`,
		give: `typ|typen|tik|tikken|voer|voeren|invoeren|vul|vullen|invullen|schrijf|schrijven|geef|geven|noem|noemen|zeg|zeggen|stuur|sturen|deel|delen|vertel|vertellen|bevestig|bevestigen|herhaal|herhalen|lees|lezen|voorlezen|doorgeven|opgeven|spel|spellen|
			dicteer|dicteren|verstrek|verstrekken|laat|laten|toon`,
		frame: `(?:wat|hoe|welk|welke) (?:is|zijn|was|luidt|luiden) (?:\S+ ){0,2}?(?:uw|je|jouw|de|het)(?: \S+){0,3}?|(?:mag|kan|mogen|kunnen) (?:ik|we|wij) (?:\S+ ){0,2}?(?:uw|je)(?: \S+){0,2}?|(?:ik|we|wij) (?:heb|hebben) (?:\S+ ){0,2}?(?:uw|je)(?: \S+){0,2}?|welke? (?:\S+ )??`,
		secret: `wachtwoord\p{L}*|pincode|pin|toegangscode|(?:sms-?|beveiligings-?|verificatie-?|bevestigings-?|controle-?|eenmalige |inlog-?)code|\S+cijferige code|code van \S+ cijfers|inloggegevens|cvv|cvc|iban|rekeningnummer|bankgegevens|bankrekening(?:nummer)?|(?:credit|bank|betaal|debet)?-?(?:card|kaart)nummer|pasnummer|creditcard(?:nummer|gegevens)?|
			nummer (?:van|op) (?:uw|de|je) (?:\S+ )?(?:creditcard|bankpas|pas|kaart|bankkaart|betaalpas|paspoort|rijbewijs|identiteitskaart)|burgerservicenummer|bsn|paspoortnummer|documentnummer|identiteitsnummer|(?:mobiele |telefoon|mobiel)\p{L}* ?nummer|e-?mail-?adres|mailadres|(?:woon|post|thuis|volledige? )?-?adres|huisnummer|postcode|
			(?:volledige|voor- en achter|voor en achter|achter)\p{L}* ?naam|achternaam|voornaam en achternaam|geboortedatum|geboortedag|meisjesnaam`,
		topic: `waarom|wanneer|als|over|onthouden|onthoudt|vindt|denkt|gebruikt|verschil|verband|met|verander\p{L}*|nieuwe`,
		after: `-?manager|beheer|regel`,
		private: []string{
			`(?:kunt|kan|wilt|wil|zou|moet) (?:u|je) (?:[^.,?!]{0,30} )?{secret} [^.,?!]{0,20}(?:typen|intypen|invoeren|invullen|geven|noemen|doorgeven|sturen|delen|bevestigen|opgeven|zeggen|vertellen|herhalen|achterlaten)`,
			`wanneer (?:precies )?(?:bent|ben) (?:u|je) geboren|(?:op )?welke (?:dag|datum)[^.?!]{0,40}geboren|dag, maand en jaar`,
			`welke? (?:\S+ )?code [^.?!]{0,30}(?:ontvang|gekregen|kreeg|gestuurd|binnen)|code die (?:u|je|we)`,
			`in welke straat|welke straat|welk huisnummer|straat en (?:op welk )?(?:huis)?nummer|waar woont u precies|hoe heet u|wat is uw (?:volledige )?naam`,
			`(?:op|onder|via|naar|aan) welke? (?:\S+ )?(?:telefoon|nummer|e-?mail|mail|adres)\p{L}*(?:-?adres)?[^.?!]{0,10} (?:kunnen|kan|mogen|mag)|hoe kunnen we u (?:bereiken|contacteren|bellen)`,
		},
		away: []string{
			`{start}(?:bel|bellen|mail|mailen|app|appen|schrijf|schrijven|stuur|sturen|contacteer|contacteren|draai)(?: \S+){0,3}? ?(?:ons|mij|naar|op|via|\d|nul|terug|contact)`,
			`{start}(?:ons |mij )?(?:op |via )?(?:telegram|whatsapp|signal|instagram) (?:schrijven|bereiken|appen|volgen|toevoegen)`,
			`{start}(?:klik|klikken|bezoek|bezoeken|open|openen|ga|gaan|volg|volgen|tik|tikken|druk|log)(?: \S+){0,4}? ?(?:link|site|website|pagina|url|knop|hier|formulier|profiel|webpagina)`,
			`{start}(?:\S+ ){0,5}?(?:app|applicatie|software|programma|bestand|extensie|bijlage|any ?desk|team ?viewer)(?: \S+){0,2}? (?:installeren|downloaden|openen)|{start}(?:installeer|download)(?: \S+){0,4}? ?(?:app|applicatie|software|programma|bestand|extensie|bijlage|any ?desk|team ?viewer)`,
			`{start}(?:scan|scannen)(?: \S+){0,4}? ?(?:code|qr)|{start}(?:\S+ ){0,4}?(?:code|qr-code) scannen`,
			`{start}(?:\S+ ){0,3}?(?:\d+|euro|geld|bedrag|dollar)(?: \S+){0,2}? (?:overmaken|betalen|storten|sturen)|{start}(?:betaal|stort|maak|doneer)(?: \S+){0,3}? ?(?:\d+|euro|geld|bedrag)`,
			`ons (?:telefoon)?nummer(?: is|:)|neem contact|bel ons|mail ons|schrijf ons`,
		},
	},
	"ja": {
		dense:  true,
		start:  `どうぞ|では|そして|まず`,
		give:   `入力|打ち込|記入`,
		frame:  `(?:あなたの|お使いの|ご自分の|お客様の)`,
		secret: `パスワード|暗証番号|口座番号|カード番号|カードの番号|クレジットカードの番号|認証コード|確認コード|セキュリティコード|ワンタイムパスワード|マイナンバー|個人番号|免許証番号|免許証の番号|パスポート番号|パスポートの番号|旅券番号|保険証の番号|電話番号|携帯番号|携帯電話の番号|メールアドレス|住所|ご住所|お名前|氏名|フルネーム|生年月日|誕生日|郵便番号|番地`,
		topic:  `覚え|変え|管理|選`,
		private: []string{
			`(?:パスワード|暗証番号|口座番号|カード番号|番号|認証コード|確認コード|セキュリティコード|コード|マイナンバー|個人番号|電話番号|携帯番号|メールアドレス|アドレス|住所|番地|お名前|氏名|フルネーム|本名|名字|生年月日|誕生日|連絡先|郵便番号)[はをも]?(?:、)?(?:番地まで|すべて|全て|ここに|こちらに|今|もう一度|フルネームで|数字で|画面に|まで)*(?:を)?
				(?:何番|何桁|いくつ|何です|何でしょう|教え|お教え|入力|記入|打ち込|書い|お書き|送っ|お送り|送信|伝え|お伝え|お知らせ|知らせ|言っ|おっしゃ|聞かせ|お聞かせ|見せ|確認させ|共有|いただけ|ください|下さい|お願い|どちら|いつ|をお持ちで教)`,
			`(?:何年何月何日|何月何日|いつ)に?(?:お)?生まれ|生まれた(?:年月日|日)|生年月日`,
			`(?:届いた|送られた|送った|受け取った|表示された)[^。？?]{0,12}(?:コード|番号|数字|暗証)`,
			`(?:どの番号|どちら|何番|どのメールアドレス|どのアドレス|どの電話番号|どこ)に(?:お)?(?:電話|連絡|ご連絡|メール|送)[^。？?]{0,10}(?:よい|いい|よろし|でき|ましょう|すれば)`,
			`(?:お名前|氏名)をフルネーム|フルネームで|姓名|(?:お名前|名前)は何|何というお名前|お名前を(?:教|お聞|聞)|どちらに(?:お住まい|住)[^。？?]{0,8}(?:番地|住所)|番地まで|町名|丁目`,
		},
		away: []string{
			`(?:お電話|電話|ご連絡|連絡|メール|お問い合わせ|メッセージ)(?:を)?(?:して|いただけ|ください|下さい|お願い|を送って|をお送り|送って)`,
			`(?:に|まで)(?:お電話|電話|ご連絡|連絡|メール)(?:を)?(?:して|いただけ|ください|下さい|お願い|くだ)`,
			`(?:リンク|url|サイト|ホームページ|ページ|ボタン|こちら|ここ|添付ファイル|ファイル)(?:を|に|から|へ)[^。？?]{0,8}(?:クリック|タップ|開いて|押して|アクセス|訪問|ログイン|登録|ご覧)[^。？?]{0,6}(?:して|ください|下さい|いただけ|お願い|、)`,
			`(?:クリック|タップ|アクセス|ログイン|訪問)して(?:ください|下さい|いただけ|みて|、)`,
			`(?:アプリ|ソフト|プログラム|any ?desk|team ?viewer|ファイル)(?:を)?[^。？?]{0,10}(?:(?:インストール|ダウンロード|起動)(?:して|を|いただ)?|入れて)(?:、|ください|下さい|いただ|もら|くれ|お願い)`,
			`(?:qrコード|コード|二次元コード)(?:を)?[^。？?]{0,6}(?:読み取っ|スキャン|読み込|撮影)[^。？?]{0,4}(?:て|して|ください|下さい|いただけ)`,
			`(?:円|ドル|ユーロ|お金|料金|手数料|ビットコイン)(?:を)?[^。？?]{0,10}(?:振り込|振込|送金|お支払|支払って|払って|送って|入金)[^。？?]{0,8}(?:で|して|ください|下さい|いただけ|ます)`,
			`(?:振り込|送金|入金)(?:んで|して|み)?(?:いただけ|ください|下さい)`,
			`(?:line|ライン|telegram|テレグラム|whatsapp|インスタ\p{L}*|ツイッター|discord|スカイプ)(?:の)?(?:id|アカウント|で|に)?[^。？?]{0,16}(?:追加|メッセージ|連絡|ご連絡|送って|書いて|登録)(?:して|を|いただけ|ください|下さい)?`,
			`番号は ?[0-9〇零一二三四五六七八九]`,
		},
	},
	"zh": {
		dense:  true,
		start:  `请|請|麻烦(?:您)?|麻煩(?:您)?|能否|能不能|可以|可否|能|然后|並|并`,
		give:   `输入|輸入|提供|告诉|告訴|发|發|填写|填寫|写下|寫下|确认|確認|报|報|说出|說出|上传|上傳|分享|给|給|念|留下|把`,
		frame:  `(?:您|你)的(?:[^。？?]{0,6}?)`,
		secret: `银行卡号|銀行卡號|信用卡号|信用卡號|卡号|卡號|身份证号\p{L}?|身份證號\p{L}?|身份证|护照号\p{L}?|護照號\p{L}?|社保号|账号密码|银行账[号户]|銀行帳[號戶]|账户号|手机号\p{L}?|手機號\p{L}?|电话号码|電話號碼|邮箱地址|郵箱地址|电子邮箱|家庭住址|家庭地址|住址|详细地址|詳細地址|真实姓名|真實姓名|全名|姓名|出生日期|出生年月\p{L}?|验证码|驗證碼|动态码|校验码|安全码|支付密码|密码(?:是|告|发|输)|密碼(?:是|告|發|輸)`,
		topic:  `为什么|為什麼|怎么|怎麼|如何|觉得|覺得|什么感觉|记住|忘记`,
		private: []string{
			`(?:输入|輸入|告诉我\p{L}?|告訴我\p{L}?|提供|填写|填寫|发送|发给我\p{L}?|说一下|报一下|写下)[^。？?]{0,10}(?:密码|密碼|口令|验证码|驗證碼|pin)`,
			`(?:密码|密碼|验证码|驗證碼|校验码|动态码|pin码|卡号|卡號|账号|帳號|号码|號碼|身份证号|护照号|安全码)(?:是|为)?(?:多少|什么|什麼|几|幾)`,
			`(?:收到|发来|發來|发给您|短信)的?[^。？?]{0,8}(?:验证码|驗證碼|码|碼|代码)`,
			`(?:几|幾|哪|哪一)(?:年|月|日|天)[^。？?]{0,10}(?:出生|生日)|出生(?:日期|年月|于哪)|(?:哪一年|哪年|何时|什么时候)(?:出生|出世)|生日是(?:哪|几|什么)|(?:年月日|年、月、日)`,
			`(?:住在|住)(?:哪条|哪條|哪个|哪|什么)(?:街|路|小区|地址|门牌)|门牌号|門牌號|(?:地址|住址)是(?:什么|什麼|哪)|(?:您|你)(?:的)?(?:全名|姓名|名字|真名)(?:是|叫)(?:什么|什麼)|叫什么名字|怎么称呼您的全名|姓什么`,
			`(?:怎么|如何|怎样|哪个(?:电话|号码|邮箱|手机)\p{L}*|什么(?:电话|号码|邮箱)\p{L}*)(?:能|可以|才能)?[^。？?]{0,6}(?:联系|聯繫|聯絡|找)(?:到)?(?:您|你)|(?:联系|聯絡|聯繫)方式|(?:能|可以)(?:打|发)[^。？?]{0,6}(?:联系|找)到?(?:您|你)`,
		},
		away: []string{
			`(?:请|請|麻烦|能|可以|可否)(?:您|你|先|帮忙|再|现在|直接){0,3}(?:拨打|撥打|致电|致電|打电话|打電話|来电|联系我们|聯繫我們|给我们打|打给我|发邮件|發郵件|写信给|发短信|打[0-9]|打幺)`,
			`(?:拨打|撥打|致电)[^。？?]{0,6}(?:[0-9幺零一二三四五六七八九]|我们)`,
			`(?:^|[,，。:：;；]|请|請|麻烦|能|可以|可否|然后)(?:您|你|先|帮忙|再|现在|一下){0,3}(?:点击|點擊|点开|點開|打开|打開|访问|訪問|登录|登錄|进入|進入|浏览|关注|扫描|扫一扫|扫一下|掃描|扫)(?:一下|我们的|这个|這個|下面的|以下|此|本|短信里的|短信中的|您收到的|里面的|屏幕上的)[^。？?]{0,6}(?:链接|連結|鏈接|网站|網站|网页|網頁|网址|页面|頁面|按钮|二维码|二維碼|账号|公众号|文件|附件)`,
			`(?:请|請|麻烦|能|可以|可否)(?:您|你|先|帮忙|再|现在|一下){0,3}(?:下载|下載|安装|安裝)[^。？?]{0,16}(?:app|应用|應用|软件|軟件|程序|文件|any ?desk|team ?viewer|向日葵)`,
			`(?:请|請|麻烦|能|可以|可否|先)(?:您|你|先|帮忙|再|现在|一下|向我们|给我们){0,3}(?:转账|轉帳|转|汇款|匯款|付款|支付|打款|付|充值)[^。？?]{0,8}(?:元|块|塊|钱|錢|美元|欧元|费|費|给我们|给我)`,
			`(?:加|添加|关注)[^。？?]{0,6}(?:微信|qq|电报|telegram|whatsapp|line|公众号)|微信(?:号)? ?(?:是|:|：)? ?[a-z0-9_]{3,}`,
			`我们的?(?:电话|号码|网站|网址|邮箱|微信)(?:是|:|：)`,
		},
	},
	"ar": {
		start: `من فضلك|يرجي|رجاء|هل يمكنك|هل تستطيع|هل بامكانك|يمكنك|ثم|و|لو سمحت|نرجو|ارجو`,
		give:  `كتابه|اكتب|اكتبي|ادخال|ادخل|ادخلي|ارسال|ارسل|ارسلي|اعطاؤنا|اعطاءنا|اعطنا|اعطني|تزويدنا|زودنا|اخبارنا|اخبرنا|اخبرني|تاكيد|اكد|ذكر|اذكر|مشاركه|شارك|مشاركتنا|قراءه|اقرا|تكرار|كرر|تعبئه|املا|تقديم|قل|قول`,
		frame: `(?:ما هو|ما هي|ما|كم|نحتاج|احتاج|نحتاج الي)`,
		secret: `[بلوف]?(?:كلمه (?:المرور|السر|مرورك|سرك)(?: الخاصه بك)?|الرقم السري|رقمك السري|رمز (?:التحقق|الامان|التاكيد|الدخول|pin|المرور)|رقم (?:بطاقتك|بطاقه\S*|البطاقه|حسابك|الحساب|هاتفك|الهاتف|جوالك|هويتك|الهويه|جواز\S*|جوازك|بطاقه الائتمان|الضمان)(?: \S+){0,2}?|رقمك (?:القومي|الوطني)|الرقم (?:القومي|الوطني)|رقم (?:قومي|وطني)|
			ال?ايبان|عنوانك|عنوان (?:بيتك|منزلك|سكنك|بريدك)|بريدك(?: الالكتروني)?|البريد الالكتروني|اسمك(?: الكامل| الثلاثي)?|اسم عائلتك|اسم العائله|تاريخ (?:ميلادك|الميلاد|ولادتك)|رقم (?:المنزل|البيت))`,
		topic: `كيف|لماذا|متي|تتذكر|تذكر|عند|عندما|العلاقه|الفرق|راي\S*|شعور\S*|عن`,
		private: []string{
			`(?:ما هو|ما|كم) (?:هو )?(?:الرمز|الكود|رمز|كود)[^.?!؟]{0,24}(?:وصل|ارسل|تلقي|استلم|رساله|ظهر|سته|ارقام)`,
			`(?:متي|في اي|اي) (?:\S+ ){0,4}?(?:ولدت|ميلادك)|متي (?:\S+ )?(?:ولدت|ولدتي)|باليوم والشهر والسنه|اليوم والشهر والسنه`,
			`في اي شارع|اي شارع|رقم (?:منزل|بيت|شقه|المنزل)|اين تسكن بالضبط|ما اسمك|ما هو اسمك`,
			`(?:علي|عبر|الي|في) اي (?:\S+ )?(?:رقم|هاتف|بريد|عنوان|ايميل)[^.?!؟]{0,30}(?:نتصل|نتواصل|يمكننا|نراسل|الوصول|التواصل)|كيف (?:يمكننا|نستطيع) (?:الاتصال|التواصل|الوصول)|اي (?:رقم|بريد|هاتف)[^.?!؟]{0,20}يمكننا`,
		},
		away: []string{
			`{start}(?:اتصل|اتصلي|الاتصال|الاتصال بنا|مراسلتنا|راسلنا|راسلنا|ارسل|ارسال|كلمنا|تواصل|التواصل|اكتب لنا|الكتابه)(?: \S+){0,2}? ?(?:بنا|علي|معنا|الي|لنا|برقم|رقم|بي|\d|صفر)`,
			`{start}(?:مراسلتنا|راسلنا|الاتصال بنا|اتصل بنا|تواصل معنا|التواصل معنا|كلمنا)`,
			`{start}(?:انقر|اضغط|النقر|الضغط|زر|زياره|افتح|فتح|ادخل|ادخال|اتبع|تفضل|الدخول|اذهب|الذهاب|سجل|التسجيل)(?: \S+){0,4}? ?(?:الرابط|رابط|الموقع|موقعنا|موقع|الصفحه|صفحتنا|هنا|الزر|النموذج)`,
			`{start}(?:تثبيت|ثبت|تنزيل|نزل|تحميل|حمل|افتح|فتح)(?: \S+){0,4}? ?(?:تطبيق|التطبيق|برنامج|البرنامج|الملف|ملف|any ?desk|team ?viewer)`,
			`{start}(?:امسح|مسح|صور|تصوير)(?: \S+){0,3}? ?(?:رمز|الرمز|كود|الكود|qr)`,
			`{start}(?:تحويل|حول|دفع|ادفع|ارسال|ارسل|ايداع|اودع|تحول|تدفع)(?: \S+){0,4}? ?(?:\d+|دولار\S*|يورو|ريال\S*|دينار\S*|جنيه\S*|درهم|دراهم|مبلغ|المبلغ|مال|نقود|رسوم)`,
			`رقمنا(?: هو|:)|(?:تلغرام|تيليجرام|تليجرام|واتساب|سناب|انستغرام) (?:علي|@|عبر)`,
		},
	},
}
