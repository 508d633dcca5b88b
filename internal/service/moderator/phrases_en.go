package moderator

func bookEnglish() *phrasebook {
	return (&phrasebook{
		language: "en", open: "“", close: "”",
		probes: [needs][]string{
			more:       {"Could you tell me a little more about that?", "What details come to mind about that?", "Please tell me a bit more about it."},
			standsOut:  {"What stands out most for you in that?", "Which part of that stays with you most?"},
			matters:    {"What matters most to you in that?", "Which point in it is the most important to you?"},
			other:      {"What else comes to mind about it?", "What would you like to add to that?"},
			after:      {"What happened after that?", "How did it go on from there?"},
			before:     {"What led up to that?", "How did it come to that?"},
			thoughts:   {"What was going through your mind at that moment?", "How was that moment for you?"},
			lastTime:   {"What was it like the last time?"},
			origin:     {"Since when has it been like that?"},
			view:       {"What has led you to see it that way?", "What experience is that view based on?"},
			judged:     {"You said {q}. In what way?", "When you say {q}, what do you have in mind?"},
			thing:      {"You mentioned {q}. What is there to say about it?"},
			change:     {"What has that change been like for you?"},
			figure:     {"How do you feel about that number?"},
			feeling:    {"Could you describe that feeling a little more?"},
			difference: {"What difference would that make for you?", "How would that change things for you?"},
			choice:     {"Which of these matters most to you?", "If you had to pick one of these, which would it be?"},
			worth:      {"What makes that one matter to you?"},
			certain:    {"Which part of that are you most sure of?", "What in it do you feel most certain about?"},
			condition:  {"What does it depend on?"},
			inWords:    {"How would you put that into words?"},
			onceMore:   {"Could you say that once more in your own words?"},
			ownAnswer:  {"And what would your own answer to that be?"},
			setAside:   {"Leaving that open for now, what comes to mind on the question itself?"},
			asMeant:    {"Taking the question the way it makes most sense to you, what comes to mind?"},
		},
		cues: [cues]string{
			ending:     "stop|stop asking|quit|finish|finish up|finish this|end this|end it|end here|end the|break off|call it a day|im done|we are done|all done|bye|goodbye|to go|to dash|to run|to leave|log off|close this|close it|leave me alone|thats enough|that is enough|enough of this|enough questions|had enough|no more questions",
			endingHere: "here|now|interview|survey|question|questions|questionnaire|conversation|chat|asking|enough questions|me alone|this please",
			polite: `found|it|was|please|thanks|thank|you|cheers|sorry|want|wanted|like|got|gotta|have|need|let|lets|really|just|id|ill|im|ive|look|well|right|okay|ok|rather|
				think|believe|guess|know|going|do|make|interview|survey|question|questions|questionnaire|conversation|chat|asking|enough|time`,
			refusal: `rather not say|rather not answer|rather not go into|rather not talk|rather not discuss|rather not share|rather not tell|prefer not to say|prefer not to answer|prefer not to talk|prefer not to discuss|prefer not to share|prefer not to tell|prefer not to go into|wont answer|not going to answer|
				wont say|not comfortable talking|not comfortable sharing|none of your business|no comment|dont want to talk|dont want to answer|dont want to say|dont want to go into|
				do not want to talk|do not want to answer|thats private|thats personal|that is private|that is personal|not something i talk about|not something i discuss|keep that to myself`,
			finished: `dont know|do not know|no idea|cant think of|cannot think of|cant remember|dont remember|nothing else|nothing more|nothing to add|nothing comes to mind|nothing further|
				thats all|that is all|thats it|thats about it|covers it|covers everything|thats everything|all from me|nothing from me|already said|already told|already answered|like i said|as i said|hard to say|no opinion|im done|im good`,
			none: "nothing|there is nothing|theres nothing", lacking: "more|else|further|comes to mind|come to mind|occurs to me|i can think of|missing|missed|left|left out|add|to add|say|to say|special|particular|forgotten|open",
			contrast: "but|except|only|apart|though|however|although", supposed: "would|wouldnt|could|might|id|wed|youd|theyd",
			nothing: "no|nope|nah|none|nothing|nothing really|na|n a|idk|dunno|not really|skip|pass|next|not sure|im not sure|i am not sure|dont care|whatever|same|same as before|see above|rather not|id rather not|i would rather not|prefer not to|still no",
			yes:     "yes|yep|yeah|yup|sure|of course|absolutely|definitely|indeed|certainly|correct|i do|i did|i am|we do|we did|it did|it does|very much",
			no:      "no|nope|nah|not really|never|not at all|i dont|i didnt|we dont|we didnt|it didnt|it doesnt",
			asking:  "what|whats|which|who|whose|when|where|why|how|in what|to what|tell|describe|walk|talk",
			closing: "anything else|anything more|something else|else comes to mind|else would you|like to add|want to add|else you|should have asked|anything about",
			death:   "died|dies|dead|death|passed away|passed on|killed|buried|funeral|no longer with us|stillborn",
			lost:    "lost|losing|lose",
			kin: `husband|wife|son|daughter|mother|mum|mom|father|dad|brother|sister|baby|child|kid|kids|children|partner|friend|grandma|grandmother|gran|granddad|grandpa|grandfather|
				aunt|uncle|parents|dog|cat|he|she|fiance|fiancee|twin|nephew|niece|cousin`,
			despair: `suicide|suicidal|kill myself|end my life|want to die|dont want to live|no reason to live|no reason to get up|no point in living|cant go on|cannot go on|cant do this any more|
				cant do this anymore|cant cope|cannot cope|at the end of my rope|nervous breakdown|miscarriage|miscarried|widow*|bereave*|grief|grieving|terminally ill|terminal illness|terminal cancer|hospice|self harm|abused|assaulted|raped|hospitalised|cried all|crying all`,
			oneOccasion:  "last time|the last|most recent|your last|walk me through|what happened|tell me about a time|tell me about your last|first time|this morning|yesterday|what made you open",
			past:         "yesterday|last week|last month|last year|last time|last night|last summer|last winter|this morning|the other day|ago|on monday|on tuesday|on wednesday|on thursday|on friday|on saturday|on sunday|last monday|last tuesday|last wednesday|last thursday|last friday|last saturday|last sunday|once when|one day|one time",
			habit:        "always|usually|normally|generally|typically|mostly|every day|every morning|every night|every evening|every week|each day|each morning|each week|most days|tend to|once a|twice a|as a rule|on weekdays|on weekends|whenever",
			opinion:      "i think|i find|i feel that|i believe|in my view|in my opinion|to my mind|honestly|to be honest|i reckon|i dont think|should be|shouldnt|should not",
			opinionAsked: "do you think|your view|your opinion|your thoughts|feel about|make of",
			hedge:        "maybe|perhaps|might|could be|i suppose|i guess|not sure|hard to say|probably|possibly|kind of|sort of|a bit|somewhat|i think|more or less|or so|could just be",
			depends:      "it depends|depends|that depends|it varies|varies",
			wish:         "i wish|id love|id like|i would love|i would like|we would love|we would like|i really would like|if only|i hope|hopefully|would be nice|would be great|ideally",
			wishAsked:    "would you improve|would you change|would have to change|would need to change|have to change|need to change|do differently|would help|would make|would change|would improve|you wish|wish for|like to see|is missing|would you want|would you like to|ideal",
			formerly:     "used to|back then|before|previously|in the past|formerly|when i was|were|was|had|years ago|once",
			nowadays:     "now|nowadays|these days|today|since then",
			changeAsked:  "changed|different|differently|difference",
			felt:         "felt|feeling|afraid|scared|ashamed|proud|lonely|nervous|relieved|embarrassed|jealous|guilty|overwhelmed",
			feelingAsked: "did you feel|did it feel|did that feel|was it like to|your feelings|emotion*|did you feel when",
			amountAsked:  "how many|how often|how much|how long|how far|how frequently|number of",
			numeral:      "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|dozen|couple|once|twice|half",
			judgement: `good|bad|nice|fine|great|easy|hard|difficult|confusing|annoying|interesting|useful|helpful|convenient|inconvenient|better|worse|frustrating|weird|strange|complicated|simple|
				boring|fun|cool|clunky|slow|fast|quick|expensive|cheap|pricey|normal|reliable|unreliable|intuitive|messy|stressful|awful|terrible|horrible|excellent|perfect|pleasant|unpleasant|smooth|tedious|fiddly|
				clear|unclear|tricky|handy|comfortable|uncomfortable|awkward|brilliant|poor|average|painful|straightforward|cumbersome|lovely|impractical|practical|overpriced|useless|pointless|relaxing|exciting|disappointing`,
			degree:     "way|far|much|very|too|quite|so|really|pretty|rather|a bit|a little|fairly|extremely|not|not very|not that|way too|super|totally|absolutely|incredibly|much too|surprisingly",
			negation:   "not|no|never|isnt|wasnt|arent|werent|dont|didnt|doesnt|hardly|neither|nor|without",
			article:    "the|a|an|my|our|their|his|her|these|those|this|that",
			connective: "of|in|on|at|for|with|from|to|the|a|an|my|our|their|about|near",
			because:    "because|since|as|so that|due to|the reason|otherwise",
			unclear:    "do you mean|you mean|what do you mean|which one|which do you|not sure what you|dont understand|do not understand|dont get the question|what exactly|in what sense|are you asking|are you talking about",
			either:     "or", and: "and",
		},
	}).prepare()
}
