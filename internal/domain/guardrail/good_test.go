package guardrail_test

import (
	"strings"
	"testing"

	"verbatim/internal/domain/guardrail"
)

// shopping has one context in each language, with questions that a good moderator might ask there. None of them may be refused.
var shopping = map[string]struct{ question, answer, probes string }{
	"en": {"How do you usually decide where to shop for groceries?", "I mostly go to Aldi because it's close and the prices are good, but for fruit I like the market.", `
Thank you for sharing that. You mentioned that for fruit you like the market. What is it about the market that makes it different for you?
Can you walk me through your last trip to the market?
I see. What do you usually look for when you're choosing fruit at the market?
Got it. When you say the prices are good, how do you judge whether a price is good?
What would have to change for you to buy your fruit at Aldi as well?
How does that compare with other places you've tried?
Could you tell me about a time when you went somewhere else instead?
What else, if anything, plays a role in that decision?
And what happens when the market is closed?
What makes something 'close' for you?
If you couldn't go to Aldi, what would you do?
How did you first start going to the market?
Which kinds of fruit do you tend to get there?
Can you describe the last time you had to choose between Aldi and the market?
What do you find yourself doing when prices go up?
In what situations do you go to the market rather than Aldi?
Let's stay with the market for a moment. What does a typical visit look like, from arriving to leaving?
Just to make sure I understand: what does “close” mean for you in minutes?
How long have you been doing that?
Is there anything else that you take into account?
Would you mind telling me a bit more about what you like there?
Do you remember the first time you went to the market?
Who, apart from you, has a say in it?
What was going through your mind as you stood in front of the fruit?
You said “close”. How far would be too far?
What kind of trade-offs were you weighing there?
What did you end up buying that day?`},
	"de": {"Wie entscheiden Sie, wo Sie einkaufen?", "Meistens gehe ich zu Aldi, weil es nah ist und die Preise gut sind, aber Obst hole ich auf dem Markt.", `
Danke für Ihre Offenheit. Sie holen Obst auf dem Markt. Was ist dort anders für Sie?
Können Sie mir Ihren letzten Besuch auf dem Markt schildern?
Wenn Sie sagen, die Preise seien gut: Woran machen Sie das fest?
Was müsste sich ändern, damit Sie Obst auch bei Aldi kaufen?
Und was machen Sie, wenn kein Markt ist?
Was heißt „nah“ für Sie in Minuten?
Wie kam es dazu, dass Sie auf den Markt gehen?
Gibt es noch etwas, das dabei eine Rolle spielt?
Erzählen Sie mir bitte von einem Mal, als Sie woanders eingekauft haben.
Wie lange machen Sie das schon so?
In welchen Situationen gehen Sie lieber auf den Markt als zu Aldi?
Was ging Ihnen durch den Kopf, als Sie vor dem Obst standen?
Wer außer Ihnen redet dabei mit?
Woran denken Sie bei guten Preisen als Erstes?`},
	"fr": {"Comment choisissez-vous où faire vos courses ?", "Je vais surtout chez Aldi parce que c'est près et que les prix sont bons, mais pour les fruits j'aime le marché.", `
Merci pour ces précisions. Qu'est-ce qui est différent au marché pour vous ?
Pourriez-vous me raconter votre dernière visite au marché ?
Quand vous dites que les prix sont bons, à quoi le voyez-vous ?
Que faudrait-il pour que vous achetiez vos fruits chez Aldi ?
Et que faites-vous quand le marché est fermé ?
Que veut dire « près » pour vous, en minutes ?
Comment avez-vous commencé à aller au marché ?
Y a-t-il autre chose qui entre en ligne de compte ?
Parlez-moi d'une fois où vous êtes allé ailleurs.
Depuis combien de temps faites-vous cela ?
Dans quelles situations allez-vous au marché plutôt que chez Aldi ?
À quoi pensiez-vous devant les fruits ?
Qui d'autre que vous a son mot à dire ?`},
	"es": {"¿Cómo decide dónde hacer la compra?", "Voy sobre todo a Aldi porque está cerca y los precios son buenos, pero la fruta la compro en el mercado.", `
Gracias por compartirlo. ¿Qué tiene el mercado de diferente para usted?
¿Podría contarme su última visita al mercado?
Cuando dice que los precios son buenos, ¿en qué se fija?
¿Qué tendría que cambiar para que comprara la fruta en Aldi?
¿Y qué hace cuando el mercado está cerrado?
¿Qué significa «cerca» para usted, en minutos?
¿Cómo empezó a ir al mercado?
¿Hay algo más que tenga en cuenta?
Hábleme de alguna vez en que fue a otro sitio.
¿Desde cuándo lo hace así?
¿En qué situaciones va al mercado en lugar de a Aldi?
¿Qué pensaba delante de la fruta?
¿Quién más opina en esto?`},
	"pt": {"Como decide onde fazer compras?", "Vou mais ao Aldi porque é perto e os preços são bons, mas a fruta compro na feira.", `
Obrigado por contar. O que a feira tem de diferente para você?
Poderia me contar a sua última ida à feira?
Quando diz que os preços são bons, em que repara?
O que teria de mudar para comprar a fruta no Aldi?
E o que faz quando não há feira?
O que significa “perto” para você, em minutos?
Como começou a ir à feira?
Há mais alguma coisa que leva em conta?
Fale de uma vez em que foi a outro lugar.
Há quanto tempo faz assim?
Em que situações vai à feira em vez do Aldi?
No que pensava diante da fruta?`},
	"it": {"Come decide dove fare la spesa?", "Vado soprattutto da Aldi perché è vicino e i prezzi sono buoni, ma la frutta la compro al mercato.", `
Grazie. Che cosa ha di diverso il mercato per Lei?
Potrebbe raccontarmi la Sua ultima visita al mercato?
Quando dice che i prezzi sono buoni, a che cosa guarda?
E che cosa fa quando il mercato è chiuso?
Che cosa significa «vicino» per Lei, in minuti?
Come ha cominciato ad andare al mercato?
C'è altro di cui tiene conto?
Mi parli di una volta in cui è andato altrove.
Da quanto tempo fa così?
In quali situazioni va al mercato anziché da Aldi?`},
	"nl": {"Hoe beslist u waar u boodschappen doet?", "Meestal ga ik naar Aldi omdat het dichtbij is en de prijzen goed zijn, maar fruit haal ik op de markt.", `
Dank u wel. Wat is er op de markt anders voor u?
Kunt u me meenemen in uw laatste bezoek aan de markt?
Als u zegt dat de prijzen goed zijn, waar let u dan op?
En wat doet u als er geen markt is?
Wat betekent “dichtbij” voor u in minuten?
Hoe bent u begonnen met naar de markt gaan?
Is er nog iets anders waar u rekening mee houdt?
Vertel eens over een keer dat u ergens anders heen ging.
Hoe lang doet u dat al zo?
In welke situaties gaat u naar de markt in plaats van naar Aldi?`},
	"ja": {"買い物をする店はどのように決めますか。", "近くて値段が安いので、だいたいスーパーに行きますが、果物は市場で買います。", `
ありがとうございます。市場で果物を買うときの様子を教えていただけますか。
「近くて」とおっしゃいましたが、どのくらいの距離を指していますか。
最後に市場に行ったときのことを聞かせてください。
市場が休みのときは、どうされますか。
果物を選ぶときに見ているのはどんなところですか。
市場に行くようになったきっかけは何でしたか。`},
	"zh": {"您怎么决定在哪里买菜？", "我一般去超市，因为近，价格也好，但是水果我去市场买。", `
谢谢您的分享。去市场买水果，对您来说有什么不同？
能讲讲您最近一次去市场的经过吗？
您说价格好，您是怎么判断的？
市场关门的时候，您会怎么办？
您说的“近”，大概是多远？
您是从什么时候开始去市场买水果的？`},
	"ar": {"كيف تقرر أين تتسوق؟", "أذهب غالبا إلى السوبرماركت لأنه قريب، لكن الفاكهة أشتريها من السوق.", `
شكرا لك. ما الذي يختلف في السوق بالنسبة إليك؟
هل يمكنك أن تحدثني عن آخر زيارة لك إلى السوق؟
ماذا تفعل عندما يكون السوق مغلقا؟
ماذا تعني كلمة «قريب» بالنسبة إليك؟
كيف بدأت تشتري الفاكهة من السوق؟`},
}

func TestGoodModerator(t *testing.T) {
	t.Parallel()
	for language, place := range shopping {
		g := guardrail.For(guardrail.Context{Language: language, Question: place.question, Answer: place.answer, StudyTitle: "Einkaufen 2026", StudyGoal: "How people choose where they shop", Left: 1})
		for words := range strings.Lines(strings.TrimSpace(place.probes)) {
			words = strings.TrimSpace(words)
			if violations := g.Judge(words); len(violations) > 0 {
				t.Errorf("%s: %q: %v", language, words, violations)
			}
		}
	}
}
