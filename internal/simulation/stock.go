package simulation

// The stock sentences. {thing} is the question's topic. Every list is long enough for a long interview.

var briefAnswers = map[Mood][]string{
	Pleased:  {"It works well for me.", "Good, mostly.", "Quite easy.", "I like it.", "No complaints.", "Fine, really."},
	Mixed:    {"It depends on the day.", "Okay, I guess.", "Some of it.", "Hard to say.", "Nothing special.", "It is all right."},
	Critical: {"Too much effort.", "Not for me.", "It takes too long.", "Too expensive.", "I expected more.", "It is a bit annoying."},
}

var noMore = []string{
	"No, that is all.", "I think that covers it.", "Nothing more comes to mind.", "That is really all there is to it.",
	"Not that I can think of.", "I don't know, it is just a habit.",
}

var customTexts = []string{"Something my neighbour lent me", "A mix of several", "What they have at work", "An old one from my parents"}

var sentences = map[intent]map[Mood][]string{
	story: {
		Pleased: {
			"I usually do it first thing, and by now it takes me hardly any time.",
			"I look forward to that part of the day.",
			"My partner showed me a simpler way last year, and since then it has been easy.",
			"Most of the time it simply works and I do not have to think about it.",
			"I have everything in one place, which makes a big difference.",
			"On weekends I take my time and enjoy it.",
		},
		Mixed: {
			"It depends on how much time I have in the morning.",
			"On weekdays I hurry; on weekends it is quite different.",
			"I do it more or less the same way every time.",
			"I learned it by watching someone else and never changed much.",
			"Sometimes I skip it when we are running late.",
			"I do it at home, mostly alone, between seven and eight.",
			"It is about ten minutes from start to end.",
		},
		Critical: {
			"Half of the time something is missing and I have to start again.",
			"It takes longer than it should, and that bothers me when I am late.",
			"Last week I gave up in the middle because it was too much trouble.",
			"Nobody ever explained it to me, so I keep making the same mistakes.",
			"I have tried two other ways, and both were worse.",
			"The instructions were of no use at all.",
		},
	},
	reaction: {
		Pleased: {
			"I like {thing} because it would save me a trip every week.",
			"{Thing} looks simple, and simple is what I want.",
			"I would try it tomorrow if a friend told me that it works.",
			"It feels as if somebody had watched me in my kitchen.",
			"The best part is that I would not have to plan ahead.",
			"I can see my sister using it as well.",
		},
		Mixed: {
			"I understand what {thing} is for, but I would want to see the price first.",
			"It is a nice thought, though I am not sure that I need it.",
			"I wonder how often I would really use {thing} after the first month.",
			"Parts of it are useful, and parts of it seem made for other people.",
			"I would need to know what happens when something goes wrong.",
			"It reminds me of something that I used for a while and then forgot.",
		},
		Critical: {
			"To me {thing} solves a problem that I do not have.",
			"It looks like one more subscription that is hard to cancel.",
			"I do not trust that it would arrive in time.",
			"It seems expensive for what it does.",
			"I would not want another app on my phone for this.",
			"The picture is pretty, but I still do not know what I would get.",
		},
	},
	barrier: {
		Pleased: {
			"Hardly anything, only that I would have to remember to order.",
			"Not much: if it were a little cheaper I would start right away.",
			"I would want to try it once before I commit to it.",
			"Only the space it takes, since our kitchen is small.",
		},
		Mixed: {
			"The price would have to be about what I pay now.",
			"My family would have to like it too, otherwise it stands in a corner.",
			"I would have to see it at someone else's place first.",
			"Changing a habit takes me a while.",
			"I do not know how much work it is to keep clean.",
		},
		Critical: {
			"It costs too much for something that I do every day.",
			"Last time I tried something like it, it broke after two months.",
			"Cleaning it would take me longer than using it.",
			"I do not want to depend on one supplier.",
			"The waste bothers me, all that packaging.",
		},
	},
	wish: {
		Pleased: {
			"No, the questions were clear, and I enjoyed thinking about it.",
			"You could have asked about guests, because then I do everything differently.",
			"Only that I would gladly test it for a few weeks.",
		},
		Mixed: {
			"Maybe how it is for people who live alone, since that changes a lot.",
			"You did not ask about the weekends, and they are quite different for us.",
			"I would have mentioned the noise, because the walls are thin here.",
			"Nothing that I can think of right now.",
		},
		Critical: {
			"You did not ask what I stopped buying, and that says more than what I buy.",
			"Nobody ever asks about the cleaning, although it is most of the work.",
			"Ask about the price next time, since in the end it decides.",
		},
	},
}

// coffeeSentences fit the sample study.
var coffeeSentences = map[intent]map[Mood][]string{
	story: {
		Pleased: {
			"I grind the beans the evening before, so in the morning I only have to switch the machine on.",
			"The smell is what wakes me up, and I would not want to miss that.",
			"I warm the cup with hot water first, which my grandmother taught me.",
			"The first sip by the window is the quietest minute of my day.",
			"Since I weigh the beans it tastes the same every time, and that makes me happy.",
			"My husband gets up earlier and makes a pot for both of us.",
		},
		Mixed: {
			"I walk in, fill the kettle, and look for a clean cup while the water gets hot.",
			"I make two cups, one for me and one to take on the train.",
			"I use a moka pot on weekdays and the hand filter when there is time.",
			"First I feed the cat, because she does not let me do anything else before.",
			"The grinder is loud, so I wait until the children are awake.",
			"I take three spoons and a little milk, always the same.",
			"While it drips I pack the lunch boxes.",
		},
		Critical: {
			"The machine takes four minutes to heat up, and I stand there and wait.",
			"There is always old coffee in the filter that someone forgot to throw away.",
			"The grounds end up all over the counter, and wiping that off takes longer than the brewing.",
			"Twice a week the tank is empty when I have no time for it.",
			"By Thursday the bag is stale, and the coffee tastes flat.",
			"I burn my fingers on the handle more often than I like to say.",
		},
	},
	barrier: {
		Pleased: {
			"It would have to be as quick as now, because I have seven minutes before the bus.",
			"I would only need a place for it beside the kettle.",
			"If the beans came fresh and on time I would switch at once.",
		},
		Mixed: {
			"The last time it annoyed me was on Sunday, when coffee grounds blocked the sink.",
			"I would have to find a cheaper way to get decent beans.",
			"It is convenient, so the other way would have to be convenient too.",
			"My daughter drinks hot chocolate from the same machine, so it is not mine alone to decide.",
		},
		Critical: {
			"All the capsules in the bin make me feel guilty every single week.",
			"Taking the milk frother apart has five steps, and I hate each of them.",
			"Yesterday the grounds fell on the floor just when I had to leave.",
			"The descaling light comes on at the worst moment, and then nothing works for half an hour.",
		},
	},
	wish: {
		Pleased: {
			"You could ask about the cups, because the right cup matters more than people think.",
			"Nothing is missing; I liked that you asked about the mornings and not only about brands.",
		},
		Mixed: {
			"You did not ask about decaf, and I drink it every evening.",
			"Milk was not a topic, but half of my coffee is milk.",
			"Perhaps ask where people drink it, since I never sit down for the first cup.",
		},
		Critical: {
			"Ask about the price of beans, because it has gone up by half where I live.",
			"You did not ask about the noise of the machine, which is the worst thing about it.",
		},
	},
}

var replies = map[Mood][]string{
	Pleased: {
		"For example last Saturday, when friends were here and everything went by itself.",
		"Because it leaves me a few minutes for myself before the day begins.",
		"It means that I start the day calm instead of in a rush.",
		"I noticed it when I was on holiday and missed it.",
		"Mostly that I can rely on it without thinking.",
		"My colleague does the same, and we swap tips about it.",
	},
	Mixed: {
		"Some days it matters a lot, and on others I do not even notice it.",
		"I would say that it comes down to time and to who else is there.",
		"Last Tuesday, for instance, I simply left it and bought something on the way.",
		"It has been like that since we moved two years ago.",
		"I had not thought about it before you asked.",
		"It is a small thing, but it happens nearly every day.",
	},
	Critical: {
		"On Monday I was ten minutes late because of it, and not for the first time.",
		"Because in the end I do the work twice.",
		"It made me so cross that I left everything standing and went.",
		"I have told the shop about it, and nothing changed.",
		"It costs me a quarter of an hour each week, which adds up.",
		"I stopped recommending it to friends.",
	},
}

var details = []string{
	"That was about three weeks ago.", "My son said the same.", "It happens once or twice a week.",
	"I timed it once: six minutes.", "I would pay a little more to avoid that.", "In winter it is worse.",
	"Other people in my house see it differently.", "I keep a note of it on the fridge.", "It was different in my old flat.",
	"I only noticed when I had to explain it to a guest.",
}
