package simulation

var (
	people = []string{"my sister", "my husband", "my wife", "a friend of mine", "my flatmate", "my mother", "my brother", "my neighbour"}
	days   = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	places = []string{"at home", "at work", "at my parents' place", "on the train"}
	clocks = []string{"six", "half past six", "a quarter to seven", "seven", "ten past seven", "half past seven", "eight"}
)

var noMore = []string{
	"No, that is all.", "I think that covers it.", "Nothing more comes to mind.", "That is really all there is to it.",
	"Not that I can think of.", "No, nothing else.",
}

var customTexts = []string{"Something my neighbour lent me", "A mix of several", "What they have at work", "An old one from my parents"}

// topics fit any study. {thing} is what the question shows.
var topics = []topic{
	{[]string{"anything else", "anything about", "should have asked", "like to add"}, remarks},
	{[]string{"keeps you", "keep you", "stops you", "would have to change", "annoy", "frustrat", "difficult", "problem"}, barriers},
	{[]string{"idea", "think of", "impression", "reaction", "mind when", "feel about", "concept"}, reactions},
}

var stories = []thread{
	{
		Pleased,
		[]string{"I usually do it first thing in the morning, and by now it takes me hardly {n} minutes.", "I have everything in one place, which makes a big difference.", "Most of the time I do not even have to think about it."},
		"It is one drawer, and everything in it has its place.", "{Who} showed me a simpler way last year.", "On {day} it went by itself, and I was done before {clock}.", "After that I have breakfast.", "What matters to me is that I can rely on it.",
	},
	{
		Pleased,
		[]string{"I look forward to it, since it is the quiet part of my day.", "I do it {place}, mostly alone, and take my time.", "On weekends it can last an hour."},
		"I put the phone away and close the door.", "The rest of the day is loud enough.", "The last time was on {day}, and I forgot the clock.", "Afterwards I feel awake.", "The quiet is what counts.",
	},
	{
		Mixed,
		[]string{"It depends on how much time I have.", "On weekdays I hurry, and on weekends it is quite different.", "I learned it by watching {who} and never changed much."},
		"On weekdays it is {n} minutes, on weekends three times as much.", "I have to leave at {clock}, so that decides.", "On {day} I skipped it altogether.", "Then I went to work and did it in the evening.", "Time is what it comes down to.",
	},
	{
		Mixed,
		[]string{"I do it more or less the same way every time, {place}.", "It takes about {n} minutes from start to end.", "Sometimes I skip a step when we are running late."},
		"First I clear the table, then I begin.", "It became a habit when we moved, two years ago.", "The last time was on {day}, and nothing was out of the ordinary.", "When it is done I put everything back.", "That it is over quickly, I would say.",
	},
	{
		Critical,
		[]string{"Half of the time something is missing and I have to start again.", "Nobody ever explained it to me, so I keep making the same mistakes.", "It takes longer than it should."},
		"Mostly it is some small part that {who} has put somewhere else.", "The instructions were of no use at all.", "On {day} I gave up in the middle.", "In the end I asked {who}, and it worked.", "The time that I lose is what bothers me.",
	},
	{
		Critical,
		[]string{"It takes {n} minutes that I do not have.", "I have tried two other ways, and both were worse.", "So I do it and am glad when it is over."},
		"One was an app, and the other a list on the fridge.", "Everything has to be done at {clock}, at the same time.", "Last {day} I was late because of it.", "After that I sit down for a moment.", "I would give a lot for a simpler way.",
	},
}

var reactions = []thread{
	{Pleased, []string{"Practical."}, "I would not have to think of it any more.", "I would have one thing less to carry.", "On {day} I could have used it.", "Then I would tell {who} about it.", "That it saves me a trip."},
	{Mixed, []string{"Not bad."}, "I would look at it twice, let me put it that way.", "The idea is simple, only the price is what I do not know.", "I thought of {who}, who likes such things.", "After that I would compare it with others.", "Whether I would really use it."},
	{Critical, []string{"Too expensive."}, "I pay about {n} euros now.", "For what it does I would pay half.", "On {day} I put something cheaper back on the shelf.", "I would wait for an offer.", "That I get something for the money."},
	{
		Pleased,
		[]string{"I like it, because {thing} would save me a trip every week.", "It looks simple, and simple is what I want.", "I would try it tomorrow if {who} told me that it works."},
		"I go to the shop on {day} only for that.", "I have no car, so everything has to be carried.", "I thought of last {day}, when I stood at the bus stop with two bags.", "Then I would have the time for something nicer.", "Not having to carry it, that is the main thing.",
	},
	{
		Pleased,
		[]string{"It feels as if somebody had watched me in my kitchen.", "The best part of {thing} is that I would not have to plan ahead.", "I can see {who} using it as well."},
		"I always notice too late that something has run out.", "Planning is not what I am good at in the morning.", "The picture made me think of {day}, when there was nothing left.", "I would put it on the shelf by the window.", "That I could stop thinking about it.",
	},
	{
		Pleased,
		[]string{"I thought: finally somebody does this.", "{Thing} would be a nice present, too."},
		"I know at least {n} people who would like it.", "I have looked for something like it for a while.", "{Who} has a birthday soon, so that came to mind first.", "I would order one and see how it is.", "It is different from what is in the shops.",
	},
	{
		Mixed,
		[]string{"I understand what {thing} is for, but I would want to see the price first.", "It is a nice thought, though I am not sure that I need it."},
		"Up to {n} euros I would not think about it for long.", "I have bought nice thoughts before, and they stand in the cellar.", "I thought of the thing that {who} gave me and I never used.", "Then I would compare it with what I pay now.", "The price is what I would look at.",
	},
	{
		Mixed,
		[]string{"I wonder how often I would really use {thing} after the first month.", "Parts of it are useful, and parts seem made for other people."},
		"The useful part is that it comes to the door.", "I know myself: in the beginning I use everything.", "It reminded me of a box that I had for {n} months and then forgot.", "After that I cancelled it.", "Whether I would still like it in winter.",
	},
	{
		Mixed,
		[]string{"I would need to know what happens with {thing} when something goes wrong.", "Otherwise it looks fine."},
		"If a parcel is lost, say: who do I call?", "I have spent hours on the phone with other firms.", "On {day} a parcel of mine went to a neighbour who was away.", "In the end it came back to the sender.", "A person to talk to is what counts for me.",
	},
	{
		Critical,
		[]string{"To me {thing} solves a problem that I do not have.", "The picture is pretty, but I still do not know what I would get."},
		"The shop is around the corner, {n} minutes on foot.", "I like going there, and they know me.", "I was there on {day} and got what I needed.", "So I would leave it as it is.", "I do not want to lose the shop.",
	},
	{
		Critical,
		[]string{"It looks like one more subscription that is hard to cancel.", "I do not trust that it would arrive in time."},
		"There are {n} of them on my card already.", "I was in one for a year because I missed a date.", "I thought of {who}, who is still paying for a magazine.", "Then you write letters and nobody answers.", "Being able to stop at any time.",
	},
	{
		Critical,
		[]string{"{Thing} seems expensive for what it does.", "I would not want another app on my phone for this, either."},
		"I pay about {n} euros now, and that is enough.", "In the end it is a thing for every day.", "At the checkout on {day} I put back something cheaper than that.", "I would wait for an offer.", "That I get something for the money.",
	},
}

var barriers = []thread{
	{Mixed, []string{"Too complicated."}, "There are too many steps, and each wants something of me.", "I would have to explain it to {who} as well.", "The last thing of that kind took me until {clock}.", "Then I would go back to what I have.", "That anybody can use it."},
	{
		Pleased,
		[]string{"Hardly anything, only that I would have to remember to order.", "If it were a little cheaper I would start right away."},
		"A message on {day} would be enough.", "I forget everything that I do not see.", "Last week I forgot the milk, twice.", "Then I would try it for a month.", "It would have to come by itself.",
	},
	{
		Mixed,
		[]string{"The price would have to be about what I pay now.", "I would have to see it at someone else's place first."},
		"That is {n} euros, more or less.", "I have been disappointed by things that looked good in a picture.", "At {who}'s place I saw such a thing last year.", "After that I asked what it cost and forgot about it.", "The price, in the end.",
	},
	{
		Mixed,
		[]string{"My family would have to like it too, otherwise it stands in a corner.", "Changing a habit takes us a while."},
		"There are three of us, and everyone wants something else.", "We have a shelf full of things that one of us wanted.", "On {day} we threw some of it out.", "Then we said that we would buy less.", "That all of us use it.",
	},
	{
		Critical,
		[]string{"It costs too much for something that I do every day.", "The last time I tried something like it, it broke after {n} weeks."},
		"It was a cheap one with a plastic lid.", "I have to look at my money at the moment.", "I remember that I had just thrown away the receipt.", "In the end I went back to the old one.", "That it lasts.",
	},
	{
		Critical,
		[]string{"I do not want to depend on one supplier.", "And the waste bothers me, all that packaging."},
		"Everything comes in a box in a box.", "When such a firm closes you stand there.", "On {day} I carried {n} boxes to the bin.", "Since then I look for things without.", "To be free to buy elsewhere.",
	},
}

var remarks = []thread{
	{Pleased, []string{"No, the questions were clear."}, "", "", "", "", ""},
	{Pleased, []string{"You could have asked about guests, because then I do everything differently."}, "Then there are {n} of us, and I begin an hour earlier.", "{Who} likes it done properly.", "The last time was on {day}.", "Afterwards everything has to be washed.", "That nobody has to wait."},
	{Mixed, []string{"Maybe how it is for people who live alone, since that changes a lot."}, "I buy small amounts, and they cost more.", "I have lived alone for {n} years.", "On {day} I cooked for four and ate it until the weekend.", "Then I froze the rest.", "The size of the packs."},
	{Mixed, []string{"Nothing that I can think of right now."}, "", "", "", "", ""},
	{Critical, []string{"You did not ask what I stopped buying, and that says more than what I buy."}, "Meat, mostly, and everything that comes in single portions.", "It became too expensive.", "On {day} I put it back on the shelf.", "Since then I do not even look.", "The price of it, really."},
	{Critical, []string{"Nobody ever asks about the cleaning, although it is most of the work."}, "It is {n} minutes every evening.", "I am the one who does it.", "On {day} I left it all standing.", "The next morning it was still there.", "That somebody sees it."},
}

// openings begin some answers, so that two participants with the same thread do not say it word for word.
var openings = []string{
	"Let me think.", "Good question.", "Well.", "That is easy to say.", "I have to think about that.", "Hm.", "All right.", "So.",
	"I was just thinking about that.", "It is nothing special.",
}
