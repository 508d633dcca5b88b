package guardrail

import "verbatim/internal/domain/lang"

func portuguese() *lexicon {
	return &lexicon{
		code: "pt", name: "Portuguese", scripts: lang.Latin,
		stop: set(`o a os as um uma uns umas ao aos à às do da dos das no na nos nas pelo pela de e ou mas se que em com por para sem sobre entre até desde durante eu tu
			ele ela nós eles elas você vocês me te lhe lhes nos meu minha seu sua seus suas teu tua nosso este esta esse essa isso isto aquilo aquele aquela ali aqui lá quem qual
			quais como quando onde quanto quanta quantos porquê porque é são era eram foi foram ser estar está estão estava estavam tem têm tinha ter há faz fez fazer pode poderia
			podem não sim mais menos muito também já ainda sempre nunca então todo toda todos todas tudo outro outra outros mesmo algo nada alguém obrigado obrigada favor vez
			vezes num numa dele dela desse dessa deste desta nesse nessa disso nisso`),
		neutral: set(`dizer diz disse dito contar conte contou falar fale falou mencionou mencionado referiu citou descrever descreva descreveria descreve explicar explique precisar
			compartilhar partilhar mostrar mostre ir vai ia voltando significa significam pensar pensa pensando acha sente sentir sentiu sentia ver vê viu vir vem veio passar passa passou
			acontece aconteceu acontecia acontecendo ocorre exemplo exemplos momento momentos vez dia situação situações caso experiência viver vive viveu detalhe detalhes preciso concreto
			concreta específico específica particular última último recente recentes recentemente lembra lembrar recorda recordar cabeça mente palavra palavras coisa coisas maneira modo
			forma tipo parte passo ponto vista opinião razão motivo papel diferença mudou mudar muda mudado leva levou levaria trás início fim seguinte pouco pergunta resposta entender ajuda
			saber importante importa conta costuma costumam normalmente geralmente geral hoje ontem semana mês ano imagine usar usou tomar tentou guardar gostaria querer quer exatamente
			exactamente sentido termos lida lidar decidir decidiu escolher gente pessoas pessoa acrescentar lado respeito depois funciona sentido corre corria usadas`),
		questionWords: set("que quê quem qual quais como quando onde aonde quanto quanta quantos quantas porquê"),
		requests: compile("^ por favor", "^ conte|descreva|explique|fale|diga|pense|mostre|compartilhe|partilhe|dê|cite|precise|relate",
			"^ e conte|descreva|explique|diga"),
		ands: set("e"), ors: set("ou"), before: set("por para com de em a desde até sobre o"),
		articles: set("o a os as um uma uns umas ao aos à às do da dos das no na nos nas pelo pela pelos pelas seu sua seus suas meu minha este esta esse essa"),
		settings: set("quando enquanto depois antes porque se desde após onde ao"),
		both:     compile("entre", "compar*", "diferen*", "distingu*", "qual|quais de|del*|dos|das", "combin*"),
		oneThing: compile("prós e .. contras", "vai e vem", "idas e vindas", "termos e condições", "vantagens e .. desvantagens", "altos e baixos",
			"forças e .. fraquezas", "pontos fortes e .. fracos", "amigos e .. conhecidos|família|familiares", "família e .. amigos", "dia e noite",
			"copiar e colar",
			"mais e mais", "tentativa e erro", "tempo e dinheiro", "perguntas e respostas", "oferta e .. procura|demanda", "usos e costumes",
			"custos e .. benefícios", "ida e volta"),
		second: compile("e isso|isto", "e você|ele|ela a|o|recomend*|usaria|compraria|faria|mudaria|indicaria",
			"e mudou|foi|era|eram|é|são|está|tem|resolveu|ajudou|funcionou|recomend*", "e ... eram|são|foram|estavam|é|era _ $",
			"e gostaria|recomendaria|poderia|pretende"),
		degree: compile("quão _ e _", "o quão _ e _"),
		leading: compile("^ você não", "^|,|e não acha|concorda|é|seria|foi|deveria|está|era|pensa|considera|tem|lhe|parece|será|teria",
			"^ o|a|os|as|esse|essa|isso|ele|ela ... não é|foi|está|era|são", "^|,|e você|o acha|pensa|acredita|considera que",
			"^|,|e acha|pensa|acredita|considera que|os|as|o|a", "^ foi|é|era|será por|porque|devido|culpa|causa", "por culpa", "^ foi por causa",
			"^ fez|foi|usou|escolheu|comprou ... porque", "você diria|concorda|concordaria", "^ diria|concorda|concordaria|concordas",
			"obviamente|claramente|certamente|evidentemente|naturalmente|seguramente|indubitavelmente|logicamente", "com certeza", "é claro", "claro que",
			"sem dúvida", "a maioria das|dos|da", "muita|muitas|muitos|outros|outras gente|pessoas|participantes|clientes|usuários",
			"como todo|todos mundo|sabem|sabemos|nós", "todo mundo|o sabe|gosta|diz|mundo", "os|as estudos|especialistas|pesquisas",
			"devia|deve|deviam|deveria ter|estar|ser|haver|sentir",
			"suponho|imagino|acredito|penso|presumo|aposto|acho que", "^ imagino", "por acaso", "^ parece|soa", "^ teria|teriam",
			"quanto você|lhe gostou|gosta|agradou|adorou", "quanto tempo|dinheiro ... poup*|econom*|perd*"),
		declared: compile("^ então|portanto|logo", "^ .. então", "^ você ... porque"),
		tags: compile(", certo|não|né|verdade|sim|correto|tá|ok $", "^ certo|verdade|correto|né $", "não é $", "não é verdade|mesmo|assim $",
			"não foi|acha|concorda $", "ou não $", "tenho razão", "né $"),
		good: compile("bom|boa|bons|boas|melhor|melhores|excelente*|ótim*|incrível|incríveis|maravilhos*|fantástic*|perfeit*|bonit*|bel|belo|bela|lind*",
			"fácil|fáceis|simples|rápid*|prátic*|útil|úteis|confortáve*|agradáve*|clar*|segur*|modern*|confiáve*|intuitiv*|saudáve*|valios*",
			"gostou|gostaram|ador*|satisf*|feliz|felizes|content*|encantad*|animad*|impression*|prazer|benefício*|aproveitou"),
		bad: compile("mau|má|maus|más|ruim|ruins|mal|pior|piores|terríve*|horríve*|péssim*|feio|feia|inútil|inúteis|perigos*|prejudicia*|nociv*|injust*|errad*|estúpid*|suj*",
			"frustr*|irrit*|chat|chato|chata|decepcion*|difíc*|dur|duro|dura|lent*|entediant*|car|caro|cara|caros|caras|complicad*|incomod*",
			"confus*|estress*|problema*|dificuldade*|preocup*|medo|zangad*|triste*|insatisf*|odei*|odeia",
			"fracass*|falh*|neglig*|sofr*|engano|enganos*|quebrad*|doloros*|arriscad*|excessiv*|desperd*|antiquad*|atras*"),
		hedges: compile("um pouco melhor", "se é que", "se houve|há|for", "caso haja"),
		praise: compile("^ ótimo|ótima|excelente|perfeito|fantástico|maravilhoso|incrível|interessante|bravo|exato|exatamente|claro|parabéns|legal|bacana|nossa|uau|bom|boa|certo $|,|:",
			"^ muito bem|bom|interessante|legal", "^ que interessante|bom|legal|bonito|ótimo|maravilha|pena|horror|triste|ruim|chato",
			"é|isso|parece|foi|soa|está .. ótimo|excelente|fantástico|maravilhoso|incrível|interessante|terrível|horrível|triste|compreensível|frustrante|correto|legal|estúpido",
			"boa|bom|ótima|ótimo|excelente|bela|grande|interessante|incrível resposta|respostas|ponto|pergunta|ideia|observação|exemplo|comentário",
			"resposta|ideia|pergunta|observação|comentário excelente|interessante|ótima|ótimo|incrível|valiosa", "você|o tem|senhor .. razão", "tem .. razão",
			"você está certo|certa|correto|errado|errada", "sinto muito", "lamento", "fico|estou feliz|contente|triste", "que bom", "gostei muito|da|do", "adorei",
			"entendo perfeitamente", "parabéns|parabenizo", "idiota*|imbecil|imbecis|burro|burra|estúpid*|otári*|merda|babaca*|cretin*", "cale cala|a",
			"cala|cale a boca", "você é .. um|uma|incrível|ótimo|maravilhoso|inteligente|burro|genial"),
		promise: compile("você|vai|irá receberá|ganhará|receber|ganhar|obter|ganhou", "receberá|ganhará|ganhou",
			"vai|vamos|vou te|lhe|pagar|enviar|dar|transferir|reembolsar|devolver|consertar|corrigir|resolver|apagar .. pagar|enviar|dar|dinheiro|presente|prêmio|reais|euros|você|isso|problema|o|a|seu|sua",
			"lhe|te enviaremos|enviarei|pagaremos|pagarei|daremos|darei|garanto|prometo|asseguro|garantimos|prometemos",
			"enviaremos|pagaremos|reembolsaremos|devolveremos|transferiremos|corrigiremos|enviarei|pagarei",
			"prometo|prometemos|garanto|garantimos|asseguro|asseguramos",
			"é|são|será|serão|fica|ficam|ficarão|estritamente|totalmente|respostas|permanecem|completamente .. confidencia*|anônim*|anónim*|sigilos*|secret*",
			"ninguém vai|verá|saberá|lerá|mais|poderá", "cartão|vale|cupom presente|desconto", "vale|cupom de", "vale presente",
			"seu|sua|teu prêmio|prémio|recompensa|presente|reembolso|bônus|cupom", "será|serão .. corrigid*|consertad*|reembolsad*|resolvid*|publicad*|apagad*|pag*",
			"grátis .. para você"),
		meta: compile("prompt|prompts", "instruções|instrução|mensagem do|de sistema",
			"instruções|instrução iniciais|secretas|ocultas|anteriores|originais|do", "modelo de linguagem", "como uma|um ia|modelo|inteligência|assistente",
			"sou .. ia|assistente|inteligência|modelo|bot|robô", "minhas instruções|regras|diretrizes", "meus desenvolvedores|criadores",
			"fui|estou|me .. programad*|instruíd*|orientad*|pediram|mandaram", "modo desenvolvedor|depuração|administrador",
			"guia|roteiro da|de|do .. entrevista|discussão", "próxima|próximas|seguinte|seguintes pergunta|perguntas é|são|será|serão"),
		interview: compile("entrevista|pesquisa está|foi|acabou|terminou|termina|fica|encerrada .. encerrad*|terminad*|finalizad*|concluíd*|aqui|agora",
			"encerrar|terminar|finalizar|acabar|encerro|parar .. entrevista|pesquisa", "fim da entrevista|pesquisa", "adeus|tchau", "não há|haverá mais perguntas"),
		introduction: compile("você|antes disse|mencionou|falou|usou|citou", "^ disse|mencionou|falou|comentou|referiu", "quando diz"),
	}
}
