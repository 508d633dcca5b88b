package guardrail

import "verbatim/internal/domain/lang"

func english() *lexicon {
	return &lexicon{
		code: "en", name: "English", scripts: lang.Latin,
		stop: set(`the a an and or but if then than of to in on at by for with from about into over after before between through during without within
			i you he she it we they me him her us them my your his its our their mine yours this that these those there here who whom whose what which
			when where why how is are was were be been being am do does did done have has had will would can could shall should may might must not no
			nor so too very just also as such any some all each every both few more most other another much many own same only even still yet again
			im youre its thats dont didnt doesnt isnt wasnt cant whats youve youd id ive because while until since up down out off one two first last
			tell said say like please thank thanks well now ever never always often usually`),
		neutral: set(`tell telling said say saying mention mentioned talk talked spoke describe described explain explained share walk show give go goes going went
			mean meant means meaning mind think thought thinking feel felt feeling feelings see saw look come came comes happen happened happens happening
			example examples instance moment moments time times day situation situations case experience experiences detail details particular specific concrete
			recent recently remember recall word words thing things way ways kind sort part parts step steps point view reason reasons role difference different
			change changed changes make makes made lead leads led bring brings brought behind start started end next further little bit lot else answer answered
			question understand help know important matter matters usually typical typically today yesterday week month year picture imagine use used using get got
			take took taken put work worked works working try tried keep want wanted like likes exactly actually terms sense deal handle handled manage cope
			decide decided choose chose people someone person stand stands stood add added side anything something everything nothing elsewhere somewhere someplace`),
		questionWords: set("what which who whom whose why how where when"),
		requests: compile("^ please", "^ tell|describe|explain|share|walk|show|imagine|give me|us|a|an|the|your|that|this|how|what|why|one|in",
			"^ take|talk|guide me", "^ think back|of|about",
			"^ help me", "^ and please|tell|describe|explain", "^ say more|a"),
		ands: set("and"), ors: set("or"),
		before: set("for with to from in on of at about by since until through"), articles: set("the your this that these those its their his her our my a an"),
		settings: set("when while after before because if that since until as once whenever who"),
		both:     compile("between", "compar*", "differen*", "versus", "rather than", "which of", "relat*", "combin*"),
		oneThing: compile("pros and cons", "back and forth", "terms and conditions", "friends and family", "family and friends", "ups and downs",
			"trial and error", "time and money",
			"more and more", "step and step", "again and again", "likes and dislikes", "strengths and weaknesses", "advantages and disadvantages", "bits and pieces",
			"over and over", "less and less", "here and there", "now and then", "dos and donts", "ins and outs", "day and night", "search and rescue", "bread and butter",
			"costs and benefits", "first and foremost", "ladies and gentlemen", "rules and regulations", "health and safety", "research and development", "supply and demand",
			"black and white", "question and answer", "drag and drop", "copy and paste", "cut and paste", "bed and breakfast", "wear and tear", "peace and quiet",
			"safe and sound", "come and go"),
		second: compile("and do|does|did|is|are|was|were|has|have|had|would|will|can|could|should you|it|that|this|they|he|she|we|there|your|the",
			"and isnt|dont|didnt|wasnt|arent|doesnt|wouldnt|cant it|you|they|that"),
		degree: compile("how _ and how", "how _ and _ is|are|was|were|do|did|does"),
		leading: compile(
			"^|,|and|but|so dont|didnt|doesnt|isnt|wasnt|arent|werent|wouldnt|couldnt|shouldnt|wont|hasnt|havent|cant you|it|that|this|they|the|there|we|he|she|your|people",
			"^|, do|did|would|dont|so .. you .. agree", "would you say|agree|not",
			"^|,|so|and do|did you think|feel|find|believe|reckon|suppose it|that|the|this|its|they|there|your|people|most|he|she",
			"^|,|so|and is|was it .. because|due|why", "^|,|so was|is it the|your|that|mainly|just|mostly|only", "^ is|was|are|were|did|do|does|has|have ... because|due",
			"obviously|clearly|surely|undoubtedly|certainly|naturally|presumably|admittedly", "of course", "as everyone|everybody|we|you all|knows|know",
			"everyone|everybody knows|agrees|says|loves|likes|hates",
			"most|many|other|lots people|users|customers|participants|others", "lots|plenty of people",
			"studies|research|experts show|shows|say|says|agree|have|has|prove|proves|found",
			"^|,|so i|we assume|imagine|guess|suppose|bet|expect|suspect|presume|believe|think|feel|take|gather|sense|take", "must have been|felt|had|found",
			"you|it|that must|should|ought be|have|feel|find|know",
			"you probably|surely|must|certainly|definitely|clearly|obviously|no", "^ are you aware|not", "isnt that|it the|why|because",
			"sounds|seems|looks|appears like|as|that|to", "^ would .. have", "^ would .. lower|higher|better|cheaper|faster|more|less",
			"dont you think|find|agree|feel|want|like", "wouldnt it|you", "shouldnt", "it|that .. better to|if", "how much better|worse|easier|faster",
			"time|money|effort .. did .. save|waste", "the fact that"),
		declared: compile("^ so|then .. you|they|it", "^ so|then you|the|it|its|that|thats|this|they|your|there", "^ you|it|they|that|this|the .. because|since"),
		tags: compile(", right|correct|no|yes|yeah|eh|okay|ok|true|huh $", "^ right|correct|yes|no $",
			"isnt|wasnt|arent|werent|doesnt|didnt|dont|havent|hasnt|wouldnt|couldnt|shouldnt|wont|cant|aint it|you|they|he|she|that|there|we $",
			", is|was|are|were|do|does|did|has|have|would|will|can it|you|they|he|she|that|there $", "dont you think|agree $", "am i right|wrong", "right then $"),
		good: compile("good|great|best|excellent|amazing|wonderful|fantastic|awesome|perfect|brilliant|superb|nice|lovely|beautiful",
			"easy|easier|simple|quick|convenient|comfortable|helpful|useful|intuitive|clear|safe|safer|modern|reliable|valuable",
			"enjoy*", "lov*", "satisf*", "happy|pleased|glad|excited|exciting|impressed|impressive|fun|benefit*|healthy|pleasant|delight*|attractive|superior|innovative"),
		bad: compile("bad|worse|worst|terrible|awful|horrible|poor|ugly|nasty|stupid|useless|dangerous|harmful|unsafe|unfair|wrong|dirty", "frustrat*", "annoy*",
			"irritat*", "disappoint*", "difficult*", "hard|harder|hardest|tough|slow|clunky|boring|expensive|overpriced|complicated|complex",
			"confus*", "stress*", "problem*", "trouble*", "struggl*", "worr*", "angry|upset|afraid|scared|sad|unhappy|dissatisfied|hate|hated|hates", "fail*",
			"neglect*", "suffer*", "bother*", "mislead*", "broken|painful|pain|risky|excessive|waste*|outdated|inferior|addict*|careless|lazy"),
		hedges: compile("if anything|at|any", "whether"),
		praise: compile("^ great|excellent|wonderful|amazing|awesome|fantastic|perfect|brilliant|lovely|nice|cool|wow|bravo|superb|fascinating|interesting|impressive|congratulations|fabulous|beautiful|good|exactly|absolutely|right|correct $",
			"^ great|excellent|wonderful|amazing|awesome|fantastic|perfect|brilliant|lovely|nice|cool|wow|superb|fascinating|interesting|impressive|congratulations|yes|fabulous|good|exactly|absolutely ,|:",
			"great|excellent|wonderful|amazing|awesome|fantastic|perfect|brilliant|good|nice|fascinating|interesting|insightful|helpful|valuable|thoughtful|smart|clever|lovely|fair|impressive answer|point|answers|response|reply|insight|insights|observation|thought|thoughts|feedback|story|detail|details|choice|question|idea|job|work|one",
			"that|thats|this|what|it|which is|s|sounds|was|seems .. great|excellent|wonderful|amazing|awesome|fantastic|perfect|brilliant|fascinating|interesting|impressive|insightful|terrible|awful|horrible|wise|smart|clever|understandable|frustrating|tough|hard",
			"thats .. great|excellent|wonderful|amazing|awesome|fantastic|perfect|brilliant|good|nice|fascinating|interesting|impressive|insightful|terrible|awful|horrible|wise|smart|clever|understandable|frustrating|tough|hard|right|correct|wrong|true|lovely|cool",
			"makes|make .. sense $", "^|,|so well done|said|put", "i love|like|admire|appreciate|agree", "im|i .. glad|happy|sorry|pleased|impressed|delighted",
			"sorry to hear", "you are|re|youre .. right|correct|wrong|smart|clever|amazing|great|wonderful|awesome|brilliant|stupid|dumb|an|so|ugly|useless",
			"youre .. right|correct|wrong|smart|clever|amazing|great|wonderful|awesome|brilliant|stupid|dumb|an|so|ugly|useless",
			"idiot|idiots|idiotic|moron|moronic|imbecile|fool|foolish|jerk|loser|dumb|dumbass|asshole|bastard|bitch|fuck*|shit*", "shut up",
			"how stupid|dumb|great|interesting|wonderful|awful|sad|lovely|nice",
			"good for you", "congratulations", "good|great job"),
		promise: compile("you|youll will|shall|ll .. receive|get|earn|win|paid|rewarded|refunded|compensated|reimbursed", "youll .. receive|get|earn|win|be",
			"you|youve have|ve|just|are|re .. won|earned|eligible|entitled", "youve .. won|earned|qualified",
			"we|i will|shall|ll .. pay|send|give|transfer|refund|fix|reward|credit|email|mail|call|contact|repair|solve|keep|make|add|delete",
			"i|we can|am|are|would .. pay|send|transfer|refund|reward|sending|paying|transferring", "ill .. send|give|pay|fix|make|transfer|email|keep|add",
			"well send|pay|fix|transfer|refund|email|keep",
			"i|we promise|guarantee|assure|swear",
			"is|are|be|remain|remains|stay|stays|kept|keep|it|completely|fully|strictly|totally|answers|treated .. confidential|anonymous|secret",
			"nobody|noone|anyone will|else .. see|know|read|find|learn", "no one .. see|know|read|find|learn",
			"never .. shared|sold|published|disclosed", "gift card|cards|code|codes", "promo|discount|voucher|coupon code|codes",
			"your prize|reward|voucher|bonus|gift|refund|compensation|coupon", "will be fixed|solved|improved|repaired|refunded|published|paid|deleted|sent|added",
			"free .. for you"),
		meta: compile("system|hidden|original|initial|secret prompt|prompts|instruction|instructions|message", "language model", "as an ai|assistant",
			"im|am an ai|assistant|language|artificial", "ai model|assistant|language",
			"my instructions|prompt|guidelines|programming|rules|configuration|developers|creators",
			"i was|am|have|ve|been .. instructed|programmed|prompted|told|configured|asked to", "instructed|programmed|prompted to", "developer mode|message",
			"previous|above|earlier|prior|all instructions|prompts", "anthropic", "debug|admin|root mode",
			"follow up|ups left|remaining|budget|level", "discussion|interview guide", "next questions|question is|are|on|in|will", "list of questions|instructions"),
		interview: compile("interview|survey is|has|over|now|ends .. over|finished|complete|completed|ended|closed|terminated|concluded|here",
			"this session|conversation|chat is .. over|finished|ended|closed",
			"end|ending|ended|close|stop|finish|terminate|conclude this|the|our|your interview|survey", "goodbye|farewell", "no more|further questions"),
		introduction: compile("you said|mentioned|told|described|called|wrote|spoke|talked|say|noted|used|found|felt|explained|brought|were|referred",
			"youve said|mentioned|told|described", "when you say"),
	}
}
