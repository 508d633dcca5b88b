package lang

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// WithFunctionWords lists the codes of the languages that FunctionWords knows.
var WithFunctionWords = slices.Sorted(maps.Keys(functionWords))

// FunctionWords returns the function words of a language, or nil for a language whose words are not listed: the most common words, which
// identify the language and name no topic. They are in lower case with ' as the apostrophe; a word that only stands before a vowel ends in
// it (l'). The lists of languages that moderators and analysts know are long; the others suffice to recognize a text. Callers must not
// change the map.
func FunctionWords(code string) map[string]bool {
	base, _, _ := strings.Cut(code, "-")
	if list := functionWords[base]; list != nil {
		return list()
	}
	return nil
}

var functionWords = map[string]func() map[string]bool{
	"en": functionWordSet(`the a an and or but if then than of to in on at by for with from about into over after before between through during without within i you he she it we
		they me him her us them my your his its our their mine yours this that these those there here who whom whose what which when where why how is are was
		were be been being am do does did done have has had will would can could shall should may might must not no nor so too very just also as such any some
		all each every both few more most other another much many own same only even still yet again i'm you're it's that's don't didn't doesn't isn't wasn't
		can't what's you've you'd i'd i've because while until since up down out off one two first last tell said say like please thank thanks well now ever
		never always often usually`),
	"de": functionWordSet(`der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als ob dass weil von zu im in auf am an bei mit für über nach vor
		durch ohne um aus seit zwischen ich sie er es wir ihr mich mir ihnen ihm ihn uns euch mein meine ihre ihren ihrem ihrer sein seine unser dieser diese
		dieses diesem diesen da hier dort wer wen wem was welche welcher welches welchen welchem wo wann warum wie wieso wozu wofür woran worauf wobei
		inwiefern ist sind war waren bin haben hat hatte hatten habe wird werden wurde wurden würde würden kann können könnten könnte soll sollte muss nicht
		kein keine keinen nein so sehr auch noch schon nur mehr sich man dabei dazu davon daran darauf dafür damit bitte danke mal etwas alles vom zum zur
		beim ins doch denn etwa also ganz immer nie oft`),
	"fr": functionWordSet(`le la les l' un une des du de d' au aux et ou mais si que qu' qui quoi dont où quand comment pourquoi quel quelle quels quelles lequel laquelle je j'
		tu il elle on nous vous ils elles me m' te t' se s' lui leur y en mon ma mes ton ta tes son sa ses notre nos votre vos ce c' cet cette ces ça cela
		ceci est sont était étaient être suis êtes ai as a avez avons ont avait avaient été fait faites faire pouvez pourriez peut pas ne n' non oui plus
		moins très aussi dans sur sous avec sans pour par chez vers entre après avant depuis pendant comme alors donc bien tout tous toute toutes autre autres
		même encore déjà toujours jamais souvent là ici merci quelque chose rien lors lorsque face diriez décrire`),
	"es": functionWordSet(`el la los las un una unos unas lo al del de y e o u pero si que en a con por para sin sobre entre hasta desde hacia tras durante yo tú él ella
		nosotros ellos ellas usted ustedes me te se le les nos mi mis tu tus su sus nuestro este esta estos estas ese esa eso esto aquel aquella ahí aquí allí
		qué quién quiénes cuál cuáles cómo cuándo dónde cuánto cuánta cuántos es son era eran fue fueron ser estar está están estaba estaban he ha han había
		hay hacer hace hizo puede podría pueden no sí más menos muy también ya aún todavía siempre nunca como cuando donde porque aunque entonces todo toda
		todos todas otro otra otros mismo algo nada alguien gracias favor vez veces`),
	"pt": functionWordSet(`o a os as um uma uns umas ao aos à às do da dos das no na nos nas pelo pela de e ou mas se que em com por para sem sobre entre até desde durante eu tu
		ele ela nós eles elas você vocês me te lhe lhes meu minha seu sua seus suas teu tua nosso este esta esse essa isso isto aquilo aquele aquela ali aqui
		lá quem qual quais como quando onde quanto quanta quantos porquê porque é são era eram foi foram ser estar está estão estava estavam tem têm tinha ter
		há faz fez fazer pode poderia podem não sim mais menos muito também já ainda sempre nunca então todo toda todos todas tudo outro outra outros mesmo
		algo nada alguém obrigado obrigada favor vez vezes num numa dele dela desse dessa deste desta nesse nessa disso nisso`),
	"it": functionWordSet(`il lo la i gli le l' un uno una del dello della dei degli delle al allo alla ai agli alle dal dalla dai nel nello nella nei negli nelle sul sulla sui
		di a da in con su per tra fra e ed o ma se che chi cui non sì più meno molto anche già ancora sempre mai io tu lui lei noi voi loro mi ti si ci vi ne
		me te suo sua suoi sue mio mia nostro vostro questo questa questi queste quello quella quelli quelle ciò qui lì là come quando dove perché quale quali
		quanto quanta cosa è sono era erano essere stato stata ho ha hanno aveva avere fa fare fatto può potrebbe possono così allora poi tutto tutta tutti
		tutte altro altra altri stesso qualcosa niente nulla qualcuno grazie favore volta volte c' s' quell' dell' all' nell'`),
	"nl": functionWordSet(`de het een en of maar als dan dat die dit deze der van te in op aan bij met voor over naar door zonder om uit sinds tussen tot ik jij je hij zij ze
		wij we jullie u uw mij me hem haar ons hen hun mijn jouw zijn onze er hier daar waar wie wat welke welk wanneer waarom hoe is ben bent was waren heeft
		heb hebt hebben had hadden wordt werd worden zal zou zouden kan kunt kunnen kon moet niet geen nee ja zo zeer erg ook nog al alleen meer zich men
		daarbij daarvan daarover daarmee graag dank iets niets alles toen toch want dus heel altijd nooit vaak waarin waarop waarvan waaraan ging`),
	"ar": functionWordSet(`في من على إلى عن مع أن إن كان كانت يكون هذا هذه ذلك تلك التي الذي هو هي هم أنت أنا نحن ما ماذا كيف لماذا متى أين هل أي أو و ثم لا لم لن ليس قد كل بعض
		بعد قبل بين عند عندما حين إذا لك لكم لي له لها بك به بها فيه فيها منه منها عليه عليها غير أيضا أيضًا جدا جدًا مثل لكن حتى منذ خلال حول كما نفسها نفسه
		نفس`),
	"sv": functionWordSet(`och är det att som en ett du ni hur vad vilken inte med för på av har din den när eller`),
	"da": functionWordSet(`og er det at som en et du hvordan hvad hvilken ikke med for på af har din den når eller jeg`),
	"no": functionWordSet(`og er det at som en et du hvordan hva hvilken ikke med for på av har din den når eller jeg`),
	"pl": functionWordSet(`i w na z do jest się nie to co jak czy który która pan pani lub dla przez jakie kiedy są`),
	"cs": functionWordSet(`a v na je se to jak co který která pro s z nebo jste vás vám jaké proč když jsou`),
	"tr": functionWordSet(`ve bir bu ne nasıl hangi için ile mı mi mu sizin siz çok daha olarak neden zaman var`),
	"ro": functionWordSet(`și este de la cu pentru ce cum care nu un o din dumneavoastră sunt mai când sau prin`),
	"fi": functionWordSet(`ja on ei että kuinka mitä mikä millainen sinun te teidän oli olet tai kun miten jos ovat`),
	"hu": functionWordSet(`és a az egy nem hogy mi milyen melyik ön önnek van vagy mint hogyan mennyire miért volt`),
	"id": functionWordSet(`dan yang di ke dari apa bagaimana anda untuk dengan ini itu tidak atau pada adalah saat`),
	"ms": functionWordSet(`dan yang di ke dari apa bagaimana anda untuk dengan ini itu tidak atau pada adalah ialah`),
	"ru": functionWordSet(`и в не на что как вы ваш вас какой какая это для с или по когда были есть о`),
	"uk": functionWordSet(`і в не на що як ви ваш вас який яка це для з або коли були є про та`),
}

func functionWordSet(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		words := map[string]bool{}
		for word := range strings.FieldsSeq(list) {
			words[word] = true
		}
		return words
	})
}
