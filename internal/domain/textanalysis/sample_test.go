package textanalysis

import (
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

// said is one question with its reply, and follow-ups with theirs, in turns.
type said struct {
	kind  guide.ItemType
	turns []string
}

func openEnded(turns ...string) said { return said{guide.OpenEnded, turns} }
func pick(question, answer string) said {
	return said{guide.MultipleChoice, []string{question, answer}}
}

func rank(question, answer string) said    { return said{guide.Ranking, []string{question, answer}} }
func grid(question, answer string) said    { return said{guide.Matrix, []string{question, answer}} }
func maxdiff(question, answer string) said { return said{guide.MaxDiff, []string{question, answer}} }

// interviewOf returns an input as the engine would provide it.
func interviewOf(language string, took time.Duration, all ...said) Input {
	g := &guide.Guide{Blocks: []guide.Block{{Type: guide.BlockFlat}}}
	in := Input{Guide: g, Response: response.Response{Language: language, Duration: took, Progress: response.Complete}}
	for i, s := range all {
		item := guide.Item{ID: string(rune('a' + i)), Type: s.kind, Text: s.turns[0]}
		g.Blocks[0].Items = append(g.Blocks[0].Items, item)
		a := interview.Answered{ItemID: item.ID, Number: i + 1, Question: item.Text}
		for j := 0; j+1 < len(s.turns); j += 2 {
			in.Exchanges = append(in.Exchanges, interview.Exchange{ItemID: item.ID, FollowUp: j > 0, Moderator: s.turns[j], User: s.turns[j+1]})
			if j > 0 {
				a.Text += "\n\n"
				a.FollowUps++
			}
			a.Text += s.turns[j+1]
		}
		in.Answers = append(in.Answers, a)
	}
	return in
}

func richShopping() Input {
	return interviewOf("en", 9*time.Minute,
		pick("How often do you order groceries online?", "About once a week"),
		pick("Which services have you used in the last three months?", "Ocado; Tesco; Amazon Fresh"),
		openEnded("Can you walk me through your last online grocery order?",
			"Last Thursday I ordered from Tesco around 10 pm, after the kids were in bed. I started from my favourites list, but half of the items were unavailable, so I had to search for substitutes one by one. It took me 40 minutes instead of the usual fifteen.",
			"You mentioned “half of the items were unavailable”. What did you do then?",
			"I swapped the oat milk for almond milk and dropped the fresh fish completely. The substitutes are the worst part, because I never know whether the picker will respect my choice."),
		openEnded("What, if anything, frustrates you about delivery?",
			"The delivery slots. By Thursday evening the only slots left are Saturday at 6 am or Sunday at 9 pm. I once paid £6.99 for a Friday slot and the driver still came an hour late.",
			"How did you feel about it at that moment?",
			"Annoyed, but mostly I felt cheated, since I had paid extra for that slot."),
		grid("How satisfied are you with the following?", "Price: Satisfied\nFreshness: Satisfied\nDelivery slots: Very dissatisfied\nSubstitutes: Dissatisfied"),
		rank("Rank what matters most to you.", "1. Freshness\n2. Delivery slots\n3. Price\n4. Packaging"),
		openEnded("If you could change one thing about the service, what would it be?",
			"I would want substitutes to be confirmed by me in the app before the picker packs them. My sister's shop in Leeds sends a photo and that builds trust."),
		openEnded("Is there anything else you would like to add?", "The app logs me out every few days, which is tiny but irritating."),
	)
}

func onboardingB2B() Input {
	return interviewOf("en", 14*time.Minute,
		pick("What is your role?", "Operations manager"),
		openEnded("Tell me about your first week with the product.",
			"well honestly it was a bit of a mess. we had 12 people to set up and nobody told us that the CSV import only takes 500 rows, so i spent the whole monday splitting spreadsheets. after that support was great though, Maria from your team got on a call with us and fixed the permissions"),
		openEnded("How do you use the reports today?",
			"mostly the weekly utilisation report. i export it to excel because the charts in the report can't be filtered by site. then i send it to our three site managers on friday morning"),
		openEnded("What would make you recommend it to a colleague?",
			"if the reports had filters by site i'd recommend it right away. the import limit is the other thing, it makes you look bad on day one"),
		maxdiff("Which improvement would matter most and least?", "Most: Report filters; Least: Dark mode\nMost: Bigger imports; Least: Dark mode\nMost: Report filters; Least: Mobile app"),
		openEnded("Anything else?", "no"),
	)
}

func german() Input {
	return interviewOf("de", 6*time.Minute,
		pick("Wie oft fahren Sie mit der Bahn?", "Täglich"),
		openEnded("Wie läuft Ihr Weg zur Arbeit normalerweise ab?",
			"Ich nehme um 6:42 Uhr den Regionalexpress nach Karlsruhe. Meistens hat der Zug zehn Minuten Verspätung und dann verpasse ich den Anschluss in Bruchsal. Die Verspätung erfahre ich erst am Bahnsteig, weil die App nichts anzeigt."),
		openEnded("Was würden Sie sich wünschen?", "Eine ehrliche Anzeige in der App. Wenn ich die Verspätung schon zu Hause sehe, kann ich länger frühstücken oder das Auto nehmen."),
		openEnded("Was gefällt Ihnen?", "Die Zugbegleiter sind freundlich und das WLAN funktioniert seit letztem Sommer gut."),
	)
}

func japanese() Input {
	return interviewOf("ja", 5*time.Minute,
		openEnded("アプリを使って困ったことを教えてください。", "商品検索が使いにくいです。先週、オートミルクを探しましたが、商品検索の結果に出てきませんでした。結局、近所のスーパーで買いました。"),
		openEnded("改善してほしい点は何ですか。", "商品検索の精度を上げてほしいです。配送時間の通知も遅いので、配送時間をもっと正確に知らせてほしいです。"),
	)
}

func chinese() Input {
	return interviewOf("zh", 5*time.Minute,
		openEnded("请谈谈您最近一次使用这个应用的经历。", "上周我想退款，但是退款按钮很难找。我找了十分钟，最后打了客服电话。客服电话排队二十分钟。"),
		openEnded("您希望改进什么？", "希望退款按钮放在订单页面，客服电话不要排队。"),
	)
}

func oneWord() Input {
	return interviewOf("en", 50*time.Second,
		pick("How often do you order groceries online?", "About once a week"),
		openEnded("Can you walk me through your last online grocery order?", "ok"),
		openEnded("What, if anything, frustrates you about delivery?", "nothing"),
		openEnded("If you could change one thing about the service, what would it be?", "idk"),
	)
}

func mashed() Input {
	return interviewOf("en", 40*time.Second,
		openEnded("Can you walk me through your last online grocery order?", "asdfgh jklhgf sdfsdfsdf qwrtp"),
		openEnded("What, if anything, frustrates you about delivery?", "good good good good good good good good"),
		grid("How satisfied are you with the following?", "Price: Good\nFreshness: Good\nSlots: Good\nSubstitutes: Good\nDrivers: Good\nApp: Good"),
	)
}

func screenedOut() Input {
	in := interviewOf("en", 12*time.Second, pick("Do you buy groceries online?", "Never"))
	in.Response.Progress = response.ScreenedOut
	return in
}

func quotaFull() Input {
	in := screenedOut()
	in.QuotaFull = true
	return in
}

func conceptTest() Input {
	in := interviewOf("en", 7*time.Minute,
		openEnded("What is your first impression of this idea?", "The oat bar looks dry in the picture, and I would worry about crumbs in the car. The wrapper is paper though, which I like a lot."),
		openEnded("What is your first impression of this idea?", "Porridge in a cup is what I already buy at the station on Mondays. £3.50 is too much for oats and hot water."),
	)
	in.Answers[0].ConceptID, in.Answers[0].ConceptTitle = "c1", "Oat bar"
	in.Answers[1].ConceptID, in.Answers[1].ConceptTitle = "c2", "Porridge cup"
	in.Exchanges[0].ConceptID, in.Exchanges[1].ConceptID = "c1", "c2"
	return in
}

func allSamples() map[string]Input {
	return map[string]Input{
		"shopping": richShopping(), "onboarding": onboardingB2B(), "german": german(), "japanese": japanese(), "chinese": chinese(),
		"one word": oneWord(), "mashed": mashed(), "screened out": screenedOut(), "concepts": conceptTest(),
		"empty": interviewOf("en", 0), "begun": {Response: response.Response{Progress: response.InProgress}},
	}
}
