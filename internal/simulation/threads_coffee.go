package simulation

// coffeeTopics fit the sample study, so that the demo's interviews make sense from beginning to end.
var coffeeTopics = []topic{
	{[]string{"walk me through", "first coffee"}, firstCoffee},
	{[]string{"would have to change", "give it up"}, capsules},
	{[]string{"annoy", "cleaning"}, cleaning},
	{[]string{"looking for", "open the shop"}, shopping},
	{[]string{"should have asked", "anything about", "anything else"}, coffeeRemarks},
}

var firstCoffee = []thread{
	{
		Pleased,
		[]string{"I grind the beans the evening before, so at {clock} I only have to switch the machine on.", "While it runs I open the window and let the cat in.", "Then I drink the first sip standing, looking at the street."},
		"The beans are in a jar beside the machine, and the scoop hangs on a hook above it.", "The grinder is loud, and {who} is still asleep then.",
		"On {day} I stood there a bit longer than usual, because the light was so nice.", "After the first sip I wake {who}, and the quiet part is over.", "The quiet matters most to me, more than the taste.",
	},
	{
		Pleased,
		[]string{"I warm the cup with hot water first, which {who} taught me.", "Then I weigh the beans, since that is the only way it tastes the same every time.", "I pour slowly, in circles, and wait until it has dripped through."},
		"I use sixteen grams for a cup, and water that has stood for a minute.", "{Who} did it that way for years, and I never saw a reason to change it.",
		"On {day} the scale had no battery, and I noticed at once that it was too thin.", "Before that I fill the kettle, and afterwards I rinse the filter right away.", "That it tastes the same every morning is what I care about.",
	},
	{
		Pleased,
		[]string{"{Who} gets up earlier and makes a pot for both of us.", "I come in, take my cup from the shelf, and sit down by the window.", "The first sip is the best minute of my day."},
		"My cup is the blue one with the chip, and nobody else may use it.", "It began when I worked late shifts and could not get up.",
		"The last time I had to make it myself was on {day}, and I had forgotten where the filters are.", "After that we talk about who takes the car.", "What stands out for me is that somebody has thought of me before I am awake.",
	},
	{
		Mixed,
		[]string{"I walk in, fill the kettle, and look for a clean cup while the water gets hot.", "I make two, one for me and one to take on the train.", "The train leaves at {clock}, so there is no time to sit."},
		"The one for the train goes into a steel mug that never really closes.", "I have done it like that since I changed jobs and have the longer way.",
		"On {day} I forgot the mug on the counter and thought of it all the way.", "Once both are poured I put on my shoes and go.", "The one on the train matters more, because I can drink it in peace.",
	},
	{
		Mixed,
		[]string{"First I feed the cat, because she does not let me do anything else before.", "Then I put the moka pot on the stove and pack lunch while it gets going.", "It takes about {n} minutes until it gurgles."},
		"The pot is an old one for three cups, and the handle has melted a little.", "I got the pot from {who} when I moved out, so I never bought a machine.",
		"On {day} I forgot it on the stove, and the kitchen smelled burnt until noon.", "When it gurgles I take it off, add milk, and drink it over the sink.", "The sound is what wakes me up, I think, more than the coffee.",
	},
	{
		Mixed,
		[]string{"I switch the machine on and go to the bathroom while it heats up.", "When I come back it is ready, and I press the button with the large cup.", "I take a little milk, always the same."},
		"The milk has to be warm, so I put it on the machine beforehand.", "I only started with that because the bathroom is free at {clock} and not later.",
		"The last time was this morning: it wanted water first, so I had to begin again.", "Then I read the news on my phone until the cup is empty.", "That I do not have to wait beside it is what counts for me.",
	},
	{
		Critical,
		[]string{"The machine takes {n} minutes to heat up, and I stand there and wait.", "There is always old coffee in the filter that someone forgot to throw away.", "By the time I sit down I should be out of the door."},
		"It shows a small red light, and until that is off nothing works.", "We bought the cheapest one that {who} could find, and it shows.",
		"On {day} I gave up waiting and went without, which made for a bad morning.", "In the end I pour it into a mug and drink half of it in the car.", "The waiting is what bothers me most.",
	},
	{
		Critical,
		[]string{"Twice a week the tank is empty just when I have no time for it.", "I fill it, then the tray is full, and then it wants to rinse.", "The coffee itself is done in a minute."},
		"The tank sits at the back, so I have to pull the whole machine out.", "Nobody else fills it, they just leave the last bit in.",
		"On {day} I stood there at {clock} and thought about going back to a kettle.", "When it is through with rinsing I finally get my cup, and then I hurry.", "What I notice most is that I serve the machine and not the other way round.",
	},
	{
		Critical,
		[]string{"By {day} the bag is stale, and the coffee tastes flat.", "I take three spoons instead of two then, which does not help.", "I still drink it, because I need it to get going."},
		"I keep the bag in the cupboard with a clip, and that is not enough, it seems.", "I buy the large bag since it is cheaper, and for one person it lasts too long.",
		"Last week I threw away a third of it and was cross with myself.", "After the first cup I often get a proper one at the station.", "The smell when a bag is new is what I miss.",
	},
}

var capsules = []thread{
	{
		Pleased,
		[]string{"It would have to be as quick as now, because I have {n} minutes before the bus.", "If a filter machine did that I would change at once."},
		"I mean from switching it on to the cup in my hand.", "I get up as late as I can, and that will not change.", "This morning it was exactly one capsule and out of the door.", "After the bus I am in the office, and the coffee there is bad.", "It would mean less waste without getting up earlier.",
	},
	{
		Mixed,
		[]string{"I would have to find a cheaper way to get decent beans.", "The capsules cost a lot, but a grinder does, too."},
		"I once added it up: it comes to about {n} euros a week.", "I do not want to spend on a machine before I know that I like it.", "When I last stood in the shop I looked at grinders and left again.", "After that I bought the usual sleeve of capsules.", "It would be worth it if the taste were clearly better.",
	},
	{
		Mixed,
		[]string{"{Who} uses the same machine, so it is not mine alone to decide.", "We would both have to like the other way."},
		"One of us likes it strong and the other with a lot of milk, and capsules do both.", "We bought it together, and it was not cheap.", "On {day} we talked about it, and it ended with a shrug.", "After that we simply ordered the next box.", "Peace in the kitchen matters more to me than the coffee.",
	},
	{
		Critical,
		[]string{"Not much, really: all the capsules in the bin make me feel guilty every week.", "Somebody would only have to show me something as simple."},
		"We collect them in a bag on the balcony, and it fills up in {n} days.", "I read how few of them are recycled, and since then I cannot unsee it.", "When I took the bag down on {day} it tore on the stairs.", "Before the machine I had a press, and that was fine.", "I would feel better about my mornings.",
	},
}

var cleaning = []thread{
	{
		Mixed,
		[]string{"The last time was on {day}, when coffee grounds blocked the sink.", "I had knocked the filter out there because the bin was full."},
		"It took a wire and a lot of hot water until it ran off again.", "I was in a hurry and thought that a little would not matter.", "I stood there with wet sleeves and thought: for one cup of coffee.", "In the end {who} brought a plunger, and then it was done in a minute.", "What stays with me is the smell of the drain.",
	},
	{
		Critical,
		[]string{"Yesterday the grounds fell on the floor just when I had to leave.", "They went under the cupboard, and there I left them."},
		"The drawer for the grounds was too full and came out with a jerk.", "I had not emptied it because it only tells you when it is too late.", "I looked at the clock, it was {clock}, and I nearly cried.", "In the evening {who} had swept it up without a word.", "The timing is what annoyed me, not the dirt.",
	},
	{
		Critical,
		[]string{"On {day} the descaling light came on at the worst moment, and then nothing worked for half an hour.", "We had guests, and I made tea."},
		"It wants a tablet and two tanks of water, and you have to stand beside it.", "I had ignored the warning for a week, I admit.", "I was thinking that a kettle never does this.", "After the guests had gone I did it all, and now it is quiet for three months.", "That it decides when I have to do it is what I dislike.",
	},
	{
		Pleased,
		[]string{"It was nothing much: taking the milk frother apart, last {day}.", "It has five parts, and one of them had rolled away."},
		"It was the small ring, and it lay under the toaster.", "Milk gets into every corner, so you cannot leave it.", "I thought that I should drink it black, like {who}.", "Once I had the ring it was done in two minutes.", "I would say that it is a small price for good foam.",
	},
}

var shopping = []thread{
	{
		Pleased,
		[]string{"I am looking for something nutty and not too dark.", "Here is one from a small farm, two hundred and fifty grams, that would be it."},
		"It says chocolate and hazelnut, and it was roasted last week.", "Dark ones upset my stomach.", "The last time I bought beans I took what was on the shelf.", "Next I look whether it is ground already.", "The roasting date matters most to me.",
	},
	{
		Mixed,
		[]string{"First I look at the price, then at how strong it is.", "There are a lot of names that tell me nothing, so I take the one with the most stars."},
		"It costs about {n} euros, which is what I pay now.", "I have bought expensive ones before, and {who} did not notice.", "Last time I simply took the one that I had before.", "Then I would go to the basket and look for the shipping costs.", "A fair price is what decides.",
	},
	{
		Critical,
		[]string{"I am looking for beans without a subscription, and that is not easy to find.", "Everything wants me to order every month."},
		"There is a small link below the button, in grey.", "I had one once and could not get out of it for half a year.", "On {day} I closed a shop like this for the same reason.", "If I found it I would take one bag and try it.", "Being free to stop matters most.",
	},
}

var coffeeRemarks = []thread{
	{Pleased, []string{"You could ask about the cups, because the right cup matters more than people think."}, "Mine is thick and has no handle, so it keeps warm.", "Out of a thin one the same coffee tastes bitter to me.", "I noticed it at {who}'s place.", "Since then I take my own cup to the office.", "It is about how it feels in the hand."},
	{Pleased, []string{"Nothing is missing; the questions about the mornings were good to think about."}, "", "", "", "", ""},
	{Mixed, []string{"You did not ask about decaf, and I drink it every evening."}, "It is the same brand in a green bag.", "Otherwise I lie awake until two.", "On {day} I mixed up the bags and lay there with open eyes.", "After dinner I make it, and then the day is over.", "That it tastes nearly like the other one."},
	{Mixed, []string{"Milk was not a topic, but half of my coffee is milk."}, "Oat milk by now, because {who} cannot take the other.", "Without it the coffee is too strong for me.", "This morning we were out of it, and I did not drink any coffee at all.", "Then I went to the shop before work.", "How well it foams is what I look at."},
	{Critical, []string{"Ask about the price of beans, because it has gone up by half where I live."}, "The bag I buy was {n} euros a year ago.", "They say that it is the harvest.", "On {day} I stood in front of the shelf and put it back.", "Since then I buy what is on offer.", "In the end the price decides."},
	{Critical, []string{"You did not ask about the noise of the machine, which is the worst thing about it."}, "It hums, then it rattles, then it hisses.", "The walls are thin, and the neighbour works at night.", "At {clock} on {day} somebody knocked on the wall.", "Since then I close the kitchen door and wait outside.", "I would pay more for a quiet one."},
}
