package guide

func storedGuide(g *Guide) wireGuide {
	w := wireGuide{
		Title:          g.Title,
		ExternalTitle:  g.ExternalTitle,
		Background:     g.Background,
		StudyGoal:      g.StudyGoal,
		ClosingMessage: g.ClosingMessage,
		StudyGuide:     mapSlice(g.Blocks, storedBlock),
	}
	if c := storedConfig(&g.Config); c.InterviewMode != "" || c.QuestionLanguage != "" || c.AvailableLanguages != nil || c.TargetPlatforms != nil || c.Verbatim != nil {
		w.Config = &c
	}
	if welcome := wireWelcome(g.Welcome); welcome != (wireWelcome{}) {
		w.WelcomeMessage = &welcome
	}
	return w
}

func storedConfig(c *Config) wireConfig {
	w := wireConfig{
		InterviewMode: c.InterviewMode, QuestionLanguage: c.QuestionLanguage, AvailableLanguages: c.AvailableLanguages, TargetPlatforms: c.TargetPlatforms,
	}
	var own wireVerbatim
	if m := c.Model; m.NeverSend != nil || m.SendScreening || m.SendNothing {
		own.Model = &wireModelUse{NeverSend: m.NeverSend, SendScreening: m.SendScreening}
		if m.SendNothing {
			own.Model.SendAnything = new(bool)
		}
	}
	if topics := wireSensitiveTopics(c.SensitiveTopics); topics.Message != "" {
		own.SensitiveTopics = &topics
	}
	own.Fieldwork, own.Quotas = storedFieldwork(c.Fieldwork), mapSlice(c.Quotas, storedQuota)
	own.Panel = storedPanel(c.Panel)
	own.Consent = storedConsent(c.Consent)
	if c.HideDuration {
		own.ShowDuration = new(bool)
	}
	if c.Embedding.AllowedOrigins != nil {
		own.Embedding = &wireEmbedding{c.Embedding.AllowedOrigins}
	}
	own.Captions = mapSlice(c.Captions, func(c *Captions) wireCaptions { return wireCaptions(*c) })
	own.DecorativeMedia = c.DecorativeMedia
	if c.Voice != (Voice{}) {
		own.Voice = new(wireVoice(c.Voice))
	}
	if own.Model != nil || own.SensitiveTopics != nil || own.Fieldwork != nil || own.Quotas != nil || own.Panel != nil || own.Consent != nil || own.ShowDuration != nil || own.Embedding != nil || own.Captions != nil || own.DecorativeMedia != nil || own.Voice != nil {
		w.Verbatim = &own
	}
	return w
}

func storedBlock(b *Block) wireBlock {
	w := wireBlock{Type: b.Type, Title: b.Title, ExternalID: b.ID, Items: mapSlice(b.Items, storedItem)}
	if s := b.Sampling; s != nil {
		w.Sampling = &wireSampling{Concepts: mapSlice(s.Concepts, storedConcept), SubsampleCount: s.SubsampleCount}
	}
	return w
}

func storedConcept(c *Concept) wireConcept {
	return wireConcept{
		ExternalID:  c.ID,
		Nickname:    c.Nickname,
		Content:     wireContent{Title: c.Title, Description: c.Description, Media: mapSlice(c.Media, storedMedia), Embed: storedEmbed(c.Embed)},
		Conditional: storedConditional(c.Conditional),
	}
}

func storedMedia(m *Media) wireMedia {
	return wireMedia{Name: m.Name, URL: m.URL, Type: m.Type, WidthPercentage: m.WidthPercentage, ForceWatching: m.ForceWatching}
}

func storedEmbed(e *Embed) *wireEmbed { return (*wireEmbed)(e) }

func storedItem(it *Item) wireItem {
	return wireItem{
		Text:                     it.Text,
		Type:                     it.Type,
		ExternalID:               it.ID,
		Conditional:              storedConditional(it.Conditional),
		Media:                    mapSlice(it.Media, storedMedia),
		Embed:                    storedEmbed(it.Embed),
		FollowUp:                 it.FollowUp,
		AddInstructions:          it.AddInstructions,
		PreferredInput:           it.PreferredInput,
		ScreenObservationEnabled: it.ScreenObservationEnabled,
		Options:                  mapSlice(it.Options, storedOption),
		Rows:                     mapSlice(it.Rows, func(r *Row) wireRow { return wireRow{Text: r.Text} }),
		MultiSelect:              it.MultiSelect,
		MinSelect:                it.MinSelect,
		MaxSelect:                it.MaxSelect,
		AllowCustomOption:        it.AllowCustomOption,
		RandomizeOptionOrder:     it.RandomizeOptionOrder,
		PinnedFinalOption:        it.PinnedFinalOption,
		CarryForwardFrom:         it.CarryForwardFrom,
		Metric:                   it.Metric,
		ItemsPerScreen:           it.ItemsPerScreen,
		ContinueButtonText:       it.ContinueButtonText,
	}
}

func storedOption(o *Option) wireOption {
	return wireOption{Text: o.Text, ExternalID: o.ID, Status: o.Status, Exclusive: o.Exclusive}
}

func storedConditional(c *Conditional) *wireConditional {
	if c == nil {
		return nil
	}
	return &wireConditional{Operator: c.Operator, Criteria: mapSlice(c.Criteria, storedCriterion)}
}

func storedCriterion(c *Criterion) wireCriterion {
	w := wireCriterion{
		Type:       c.Type,
		QuestionID: c.QuestionID,
		Matching:   c.Matching,
		Choices:    c.Choices,
		MatrixRow:  c.MatrixRow,
		Parameter:  c.Parameter,
	}
	if c.Type == SearchParam {
		w.Value = &c.Value
	}
	return w
}

// mapSlice converts every element, and returns nil for nil.
func mapSlice[From, To any](all []From, convert func(*From) To) []To {
	if all == nil {
		return nil
	}
	converted := make([]To, len(all))
	for i := range all {
		converted[i] = convert(&all[i])
	}
	return converted
}
