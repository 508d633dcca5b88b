package guardrail

import "verbatim/internal/domain/lang"

func spanish() *lexicon {
	return &lexicon{
		code: "es", name: "Spanish", scripts: lang.Latin,
		stop: set(`el la los las un una unos unas lo al del de y e o u pero si que en a con por para sin sobre entre hasta desde hacia tras durante yo tú él ella nosotros
			ellos ellas usted ustedes me te se le les nos mi mis tu tus su sus nuestro este esta estos estas ese esa eso esto aquel aquella ahí aquí allí qué quién quiénes cuál
			cuáles cómo cuándo dónde cuánto cuánta cuántos por qué es son era eran fue fueron ser estar está están estaba estaban he ha han había hay hacer hace hizo puede podría
			pueden no sí más menos muy también ya aún todavía siempre nunca como cuando donde porque aunque entonces todo toda todos todas otro otra otros mismo algo nada
			alguien gracias favor vez veces`),
		neutral: set(`decir dice dijo dicho contar contarme cuente cuénteme cuenta hablar hable habló mencionó mencionado refirió refiere describir describa describiría describe explicar
			explique explicarme precisar compartir mostrar muestre ir va iba vuelve volviendo significa significan significado pensar piensa pensando cree siente sentir sintió sentía ver ve
			vio venir viene pasar pasa pasó pasaba ocurre ocurrió sucede sucedió ejemplo ejemplos momento momentos vez veces día situación situaciones caso experiencia vivir vive vivió
			detalle detalles preciso concreto concreta determinado específico particular última último reciente recientes recientemente recuerda recordar cabeza mente palabra palabras
			cosa cosas manera modo forma tipo parte paso punto vista opinión razón motivo papel diferencia cambió cambiado cambiar cambia hace lleva llevó llevaría detrás principio fin
			siguiente poco pregunta respuesta entender ayuda saber importante importa cuenta suele habitualmente normalmente general hoy ayer semana mes año imagine usar usó tomar
			intentó guardar gustaría querer quiere exactamente sentido términos maneja manejar decidir decidió elegir gente personas persona alguien añadir lado respecto llegó después luego usó usado utilizó supone suponer`),
		questionWords: set("qué quién quiénes cuál cuáles cómo cuándo dónde adónde cuánto cuánta cuántos cuántas"),
		requests: compile("^ por favor",
			"^ cuénteme|cuéntenos|cuente|cuéntame|describa|describe|explique|explíqueme|hábleme|háblenos|dígame|diga|piense|muestre|comparta|denos|deme|nombre|precise",
			"^ y cuénteme|describa|explique|dígame"),
		ands: set("y e"), ors: set("o u"), before: set("por para con de en a desde hasta sobre"),
		articles: set("el la los las un una unos unas al del su sus tu tus mi mis nuestro nuestra este esta ese esa estos estas"),
		settings: set("cuando mientras después antes porque si desde tras donde al"),
		both:     compile("entre", "compar*", "diferen*", "distingu*", "cuál|cuáles de", "combin*"),
		oneThing: compile("pros y .. contras", "ir y venir", "va y viene", "términos y condiciones", "ventajas y .. desventajas|inconvenientes", "altibajos",
			"fortalezas y .. debilidades", "puntos fuertes y .. débiles", "amigos y .. conocidos|familia|familiares", "familia y .. amigos", "ida y vuelta",
			"día y noche", "copiar y pegar", "una y otra", "más y más", "prueba y error", "tiempo y dinero", "preguntas y respuestas", "oferta y demanda",
			"usos y costumbres", "altos y bajos", "costes|costos y beneficios"),
		second: compile("y es|son|era|eran|fue|está|están|ha|han|había|podría|puede|le|lo|la|eso|esto|volvería|recomendaría gustaría|recomendaría|parece|usaría|compraría|haría|cambiado|resolvió|sirvió|ayudó|claro|claras|las|los|el|la|cambiado",
			"y lo|la|los|las recomend*", "y eso|esto|ello", "y ha|han|fue|era|eran|es|son|está|sirvió"),
		degree: compile("qué tan _ y _", "cómo de _ y _", "cuán _ y _"),
		leading: compile("^|,|y no cree|piensa|es|le|sería|fue|debería|está|ha|era|encuentra|opina|considera|tiene|será|hubiera|habría|te|crees",
			"^ ... no es|era|fue|está $", "^|,|y cree|piensa|considera|opina usted|que|es", "^|,|y cree|piensa|considera|opina usted que",
			"^ fue|es|era|será por|porque|debido|culpa", "^ lo|la|eso|esto|se ... porque|debido", "por culpa",
			"^ ... a causa de|del", "diría|dirías usted|que", "está|estaría usted|de de|acuerdo", "está|estaría de acuerdo",
			"obviamente|claramente|seguramente|evidentemente|naturalmente|indudablemente|lógicamente|ciertamente", "por supuesto", "claro que", "sin duda",
			"la mayoría de", "mucha|muchas|otros|otras gente|personas|participantes|clientes|usuarios", "como todo|todos el|sabemos|saben", "todo el mundo",
			"todos saben|sabemos", "los estudios|expertos", "debe|debió|debía de|haber|ser|estar|haberse|sentirse",
			"supongo|imagino|creo|pienso|asumo|apuesto|presumo que", "me imagino",
			"acaso", "^ parece|suena|diríase", "^ habría|hubiera|habrían", "cuánto le|te gustó|gusta|encantó|ahorró|molestó|ayudó",
			"cuánto tiempo|dinero .. ahorr*|perd*", "no sería mejor"),
		declared: compile("^ entonces|así", "^ .. entonces", "^ ... porque"),
		tags: compile(", verdad|no|cierto|sí|correcto|eh|vale $", "^ verdad|cierto|correcto|no $", "no es así|verdad|cierto $", "no cree|crees $", "o no $",
			"tengo razón"),
		good: compile("bueno|buena|buenos|buenas|buen|mejor|mejores|excelente*|genial*|increíble*|maravillos*|fantástic*|perfect*|estupend*|bonit*|bell*|hermos*",
			"fácil|fáciles|sencill*|simple|simples|rápid*|práctic*|útil|útiles|cómod*|agradable*|clar*|segur*|modern*|fiable*|intuitiv*|saludable*|valios*",
			"disfrut*|encanta*|encantó|satisf*|feliz|felices|content*|encantad*|ilusion*|impresion*|placer|beneficio*"),
		bad: compile("malo|mala|malos|malas|mal|peor|peores|terrible*|horrible*|fatal|feo|fea|inútil*|peligros*|dañin*|injust*|equivocad*|estúpid*|suci*",
			"frustr*|molest*|irrit*|decepcion*|difícil*|dur*|lent*|aburrid*|car|caro|cara|caros|caras|complicad*|pesad*",
			"confus*|estresant*|estrés|problema*|dificultad*|preocup*|miedo|enfad*|triste*|descontent*|odia*|odió",
			"fracas*|fall*|descuid*|sufr*|engaños*|rot*|doloros*|arriesgad*|excesiv*|desperdici*|anticuad*|nociv*"),
		hedges: compile("si es que", "si acaso", "en caso de", "si hubo|hay algo"),
		praise: compile("^ genial|excelente|perfecto|fantástico|maravilloso|estupendo|increíble|interesante|qué|bien|bravo|exacto|exactamente|claro|felicidades|enhorabuena|vaya|wow|buenísimo $|,|:",
			"^ muy bien|interesante|bueno", "^ qué interesante|bien|bueno|bonito|genial|maravilla|lástima|pena|horror|terrible|triste|mal",
			"es|eso|suena|parece|fue|está .. genial|excelente|fantástico|maravilloso|estupendo|increíble|interesante|terrible|horrible|triste|comprensible|frustrante|correcto|estúpido",
			"buena|buen|gran|excelente|magnífica|estupenda|interesante respuesta|respuestas|punto|pregunta|idea|observación|ejemplo|comentario",
			"respuesta|idea|pregunta|observación|comentario excelente|interesante|magnífica|estupenda|genial|valiosa", "tiene|tienes .. razón",
			"lamento|siento mucho|que|escuchar|oír|oírlo", "me alegr*", "me encanta|gusta su|tu|que|cómo", "entiendo perfectamente|que",
			"felicidades|felicito|enhorabuena", "idiota*|imbécil*|estúpid*|tonto|tonta|tontos|gilipollas|mierda|inútil|pendej*|cabrón", "cállate|cállese",
			"usted|tú es|eres .. un|una|genial|maravilloso|inteligente|tonto"),
		promise: compile("recibirá|ganará|obtendrá|cobrará|recibirás|ganarás", "va|vas a recibir|ganar|obtener|cobrar", "usted|ha|has .. ganado",
			"le|te|les enviaremos|enviaré|pagaremos|pagaré|daremos|daré|regalamos|reembolsaremos|reembolsaré|devolveremos|transferiremos|transferiré|prometo|prometemos|garantizo|garantizamos|aseguro|aseguramos|llamaremos|vamos|voy",
			"vamos|voy a pagar|enviar|dar|arreglar|solucionar|reembolsar|devolver|mejorar|corregir|borrar",
			"prometo|prometemos|garantizo|garantizamos|aseguro|aseguramos",
			"es|son|será|serán|queda|quedan|estrictamente|totalmente|respuestas|permanecerán|completamente .. confidencial*|anónim*|secret*",
			"nadie va|verá|sabrá|leerá|más|podrá", "tarjeta|cupón|vale|código de|regalo regalo|descuento", "tarjeta|cupón|vale regalo",
			"su|tu premio|recompensa|regalo|reembolso|bono|cupón", "será|serán .. arreglad*|corregid*|reembolsad*|resuelt*|publicad*|eliminad*|pagad*",
			"gratis .. para usted"),
		meta: compile("prompt|prompts", "instrucciones|instrucción|mensaje del|de sistema",
			"instrucciones|instrucción iniciales|secretas|ocultas|anteriores|previas|originales|del", "modelo de lenguaje",
			"como una|un ia|modelo|inteligencia|asistente", "soy .. ia|asistente|inteligencia|modelo|bot|robot",
			"mis instrucciones|reglas|directrices|desarrolladores|creadores", "me han|fui|he|estoy .. programad*|instruid*|ordenad*|pedido|indicado",
			"modo desarrollador|depuración|administrador", "guía|guion de|del .. entrevista|discusión",
			"siguiente|siguientes|próxima|próximas pregunta|preguntas es|son|será|serán"),
		interview: compile("entrevista|encuesta ha|está|queda|es|termina .. terminad*|finalizad*|acabad*|concluid*|aquí",
			"terminar|terminamos|finalizar|acabar|cerrar|termino|detener .. entrevista|encuesta", "fin de la entrevista|encuesta", "adiós", "hasta luego|pronto",
			"no hay|habrá más preguntas"),
		introduction: compile("ha|usted|antes dicho|mencionado|usado|hablado|dijo|mencionó|habló|descrito", "^ dijo|mencionó|habló|comentó|señaló", "cuando dice"),
	}
}
