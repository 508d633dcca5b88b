package textanalysis

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// abuse holds words that insult whoever asks.
var abuse = sync.OnceValue(func() map[string]bool {
	return set(`idiot idiots idiotic moron morons moronic stupid dumb dumbass clown clowns git gits wanker wankers bastard bastards bitch bitches arse arsehole arseholes asshole assholes prick pricks
		twat twats tosser tossers bollocks bullshit crap shit shite fuck fucking fucked fuckers fucker loser losers scum scumbag scumbags pathetic useless rubbish joke braindead brainless nosy
		muppet muppets parasites leeches vultures crooks thieves liars cretin cretins imbecile imbeciles jerk jerks creeps hell stuffed sod piss pissed pillock plonker sucks suck garbage disgusting
		idioten idiotisch blöd blöde blöder blöden dämlich dämliche dämlicher dumm dumme dummer doof doofe bescheuert bescheuerte arsch arschloch arschlöcher scheiß scheiss scheiße scheisse mist
		wichser spinner trottel deppen depp penner pfeifen pfeife versager abzocker schwachsinn schwachköpfe schwachkopf blödsinn verarscht verarsche verpiss verpisst leck fresse klappe
		idiotas idiota imbécil imbéciles imbecil imbeciles tonto tontos tonta payaso payasos mierda ladrones ladrón sinvergüenza sinvergüenzas gilipollas capullo capullos cabrón cabrones cabron
		inútil inútiles inutiles asco asqueroso asquerosos gentuza sanguijuela sanguijuelas cotilla cotillas estafadores estafador puta putos puto joder jodeos coño hostia basura chorizos mamarracho
		imbécile imbéciles cons con connard connards connasse merde débile débiles crétin crétins abruti abrutis bouffons bouffon nuls nul voleurs escrocs salauds salaud foutre ordures clowns
		bouffonne minable minables incapables ridicules pourris dégage dégagez gueule foutez
		bastardo bastardi vaffanculo ignoranti ridicoli ridicolo patetici patetico truffatori sfigati sfigato parassiti incapaci fannulloni palle cretina zitti zitto schifosi pezzenti
		imbecil estúpidos estúpidas ridículos ridículo patéticos patético parasitas vigaristas incompetentes inúteis cretinos cretino nojentos nojo bosta babacas babaca trouxas trouxa parvos parvo palermas
		sukkels mafkees mafkezen prutsers profiteurs parasieten hufter hufters tering tyfus bek oprotten rot
		idioti cretino cretini stronzo stronzi merda coglioni coglione deficienti deficiente ladri buffoni buffone cazzo schifo vergogna pagliacci pagliaccio scemi scemo
		idiotas burro burros otário otários palhaço palhaços palhaçada merda ladrões caralho foda porra vagabundos estúpido estúpidos imbecis lixo
		idioot idioten sukkel sukkels eikel eikels klootzak klootzakken lul lullen kut kutzooi oplichters dom domme debiel debielen klote zeikers rot flikker flikkert
		傻逼 白痴 笨蛋 混蛋 垃圾 滚 バカ 馬鹿 アホ クソ 死ね حمقى أغبياء غبي لصوص كلاب`)
})

// address holds words that speak to somebody.
var address = set(`you your yours yourself yourselves u ya du dich dir dein deine ihr euch euer eure sie ihnen tú tu te ti os vosotros vuestro vuestra sois usted ustedes vous votre vos toi tes tu voi vostro siete vi tuo
	você vocês vos jij jullie je uw u`)

// abuseParts are parts of words that insult.
var abuseParts = strings.Fields(`idiot dreck hirn scheiß scheiss arsch abzock deppen fick verarsch leckt verpiss gauner betrüger verbrecher asshole arsehole fuck wank bollock bullshit
	shithead dickhead brainless brain-dead gilipoll mierda cabron cabrón estafa joder imbécil merde connard salaud enculé stronz coglion merda cazzo vaffancul caralho palhaç klootz kanker sukkel eikel`)

// asking holds words for what people are asked in.
var asking = set(`question questions survey surveys poll questionnaire frage fragen fragerei umfrage umfragen fragebogen pregunta preguntas encuesta encuestas cuestionario sondage enquête questionnaire
	sondaggio domanda domande questionario pergunta perguntas pesquisa inquérito vraag vragen enquête enquete vragenlijst`)

// abusive reports whether a text has an insulting word.
func abusive(text []string) bool {
	return mentions(text, abuse()) || slices.ContainsFunc(text, func(word string) bool {
		return slices.ContainsFunc(abuseParts, func(part string) bool { return strings.Contains(word, part) })
	})
}

// shortInsult is how long an answer may be, in words, to count as nothing but an insult.
const shortInsult = 14

// insults looks for interviews whose open answers are short insults and have nothing of what the study is about. Anger with
// something in it is an answer.
func (r *reading) insults(gists []gist) sign {
	s := sign{part: partRelevance}
	about := r.subject()
	open, rude, beside := 0, 0, 0
	for _, g := range gists {
		open++
		text := wordsOf(head(g.Text, maxRead))
		insult := abusive(text)
		if len(text) > shortInsult || g.kind == substantial && about != nil && shareKey(g.topics, about) {
			continue
		}
		content := 0 // words beside the insult
		for _, word := range text {
			if !r.lang.stop[word] && !mentions([]string{word}, address) && !abusive([]string{word}) {
				content++
			}
		}
		switch {
		case insult && content <= 2, insult && content <= 4 && mentions(text, address):
			rude++
			s.rows = append(s.rows, g.rows()...)
		case insult && content <= 4, content <= 6 && !mentions(text, speaker) && (mentions(text, address) || mentions(text, asking)):
			beside++
		}
	}
	if rude == 0 || open < 2 || rude+beside < 2 {
		return s
	}
	s.weight = ramp((float64(rude)+0.5*float64(beside))/float64(open), 0.3, 0.65, 0.9)
	s.reason = fmt.Sprintf("%s an insult and nothing else.", upperFirst(plural(rude, "answer")+map[bool]string{true: " is", false: " are"}[rude == 1]))
	return s
}
