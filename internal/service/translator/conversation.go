package translator

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/translation"
	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
)

//go:embed prompts
var prompts embed.FS

// Prompts in use. With a new one, texts are translated again.
var guidePrompt, answersPrompt = llm.ReadPrompt(prompts, "guide-1"), llm.ReadPrompt(prompts, "answers-1")

// Limits of one request.
const (
	maxTexts = 30
	maxRunes = 4_000
	fewTexts = 5 // of a second try, if nothing of the first reply could be used
)

// conversation is a dialogue with a model about texts that belong together.
type conversation struct {
	model    llm.ChatModel
	prompt   llm.Prompt
	scope    usage.Scope
	title    string
	from, to string
	before   []string              // source texts that precede them, for context
	masker   *masking.Masker       // nil: the client of the model makes one
	all      []translation.Segment // texts that the translations must stay distinguishable from; nil: none
}

// written is the result for one text.
type written struct {
	translation.Segment
	translated string // empty if nothing could be used
	violation  string // why the model's text was refused
}

// translate has texts translated and judges the results; those that fail are tried once more with the reasons. others are the
// existing translations by key, from which the new ones must be distinguishable. An error is temporary.
func (c *conversation) translate(ctx context.Context, texts []translation.Segment, others map[string]string) ([]written, error) {
	done, err := c.try(ctx, texts, nil, others)
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	var failed []translation.Segment
	for _, w := range done {
		if w.translated == "" {
			failed, reasons[w.Key] = append(failed, w.Segment), w.violation
		} else {
			others[w.Key] = w.translated
		}
	}
	size := max(len(texts), 1)
	if len(failed) == len(texts) {
		size = fewTexts
	}
	for some := range slices.Chunk(failed, size) {
		again, err := c.try(ctx, some, reasons, others)
		if err != nil {
			return nil, err
		}
		for _, w := range again {
			others[w.Key] = w.translated
			done[slices.IndexFunc(done, func(d written) bool { return d.Key == w.Key })] = w
		}
	}
	return done, nil
}

// try asks once. It returns every text, either translated or with a violation.
func (c *conversation) try(ctx context.Context, texts []translation.Segment, reasons, others map[string]string) ([]written, error) {
	done := make([]written, len(texts))
	for i, s := range texts {
		done[i].Segment = s
	}
	given, err := c.ask(ctx, texts, reasons)
	if err != nil {
		violation := "shape: the model's answer could not be used"
		switch {
		case errors.Is(err, llm.ErrRefused):
			violation = "refused: the model would not answer"
		case !errors.Is(err, llm.ErrShape):
			return nil, err
		}
		for i := range done {
			done[i].violation = violation
		}
		return done, nil
	}
	all := maps.Clone(others)
	for i := range done {
		w := &done[i]
		w.translated, w.violation = c.judged(w.Source, given[name(i)])
		all[w.Key] = w.translated
	}
	alike := translation.Alike(c.all, all)
	for i := range done {
		if other, found := alike[done[i].Key]; found {
			done[i].translated, done[i].violation = "", fmt.Sprintf("%s: it reads the same as the translation of %q", translation.Same, other)
		}
	}
	return done, nil
}

// pair is a source text repeated, and its translation.
type pair struct {
	Of   string `json:"of"`
	Text string `json:"text"`
}

// judged returns the translation of a source, or what is wrong with it.
func (c *conversation) judged(source string, given pair) (text, violation string) {
	if !translation.Echoes(source, given.Of) {
		return "", "order: it was given for another text"
	}
	text = strings.TrimSpace(given.Text)
	if c.prompt == answersPrompt && translation.Echoes(source, text) {
		return text, "" // it was said in the study's language
	}
	if violations := translation.Judge(source, text, c.from, c.to); len(violations) > 0 {
		return "", violations[0].String()
	}
	return text, ""
}

// name returns the id of a text within one request. It is short, so that a model copies it without mistakes.
func name(i int) string { return fmt.Sprintf("t%d", i+1) }

// The input of a model. It is sent as JSON, so that no text can end the string that holds it.
type (
	briefing struct {
		Study  string    `json:"study"`
		From   language  `json:"from"`
		To     language  `json:"to"`
		Before []string  `json:"before,omitempty"`
		Texts  []briefed `json:"texts"`
	}
	language struct {
		Code string `json:"code"`
		Name string `json:"name"`
	}
	briefed struct {
		ID        string `json:"id"`
		Kind      string `json:"kind"`
		BelongsTo string `json:"belongsTo,omitempty"`
		Text      string `json:"text"`
		Refused   string `json:"lastTranslationWasRefusedFor,omitempty"`
	}
)

// ask returns the model's reply for each name, or llm.ErrShape if it names texts that were not asked for or does not fit the
// schema.
func (c *conversation) ask(ctx context.Context, texts []translation.Segment, reasons map[string]string) (map[string]pair, error) {
	b := briefing{
		Study: c.title, From: language{c.from, translation.LanguageName(c.from)}, To: language{c.to, translation.LanguageName(c.to)}, Before: c.before,
	}
	properties, required, runes := map[string]any{}, []string{}, 0
	for i, s := range texts {
		b.Texts = append(b.Texts, briefed{name(i), string(s.Kind), s.Of, s.Source, reasons[s.Key]})
		properties[name(i)] = map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{"of", "text"},
			"properties": map[string]any{"of": map[string]any{"type": "string"}, "text": map[string]any{"type": "string"}},
		}
		required = append(required, name(i))
		runes += utf8.RuneCountInString(s.Source)
	}
	schema := map[string]any{"type": "object", "additionalProperties": false, "required": required, "properties": properties}
	reply, err := c.model.Chat(ctx, llm.Request{
		Purpose: "translate", Scope: c.scope, System: c.prompt.Text, Messages: []llm.Message{{Role: llm.User, Text: asJSON(b)}},
		Schema: &llm.Schema{Name: "translations", JSON: []byte(asJSON(schema))}, MaxTokens: 300 + 40*len(texts) + 4*runes, Background: true,
		Masker: c.masker,
	})
	if err != nil {
		return nil, err
	}
	given := map[string]pair{}
	from := json.NewDecoder(strings.NewReader(reply.Text))
	from.DisallowUnknownFields()
	if err := from.Decode(&given); err != nil {
		return nil, fmt.Errorf("%w: %w", llm.ErrShape, err)
	}
	if _, err := from.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: text follows the JSON", llm.ErrShape)
	}
	for i := range texts {
		if _, there := given[name(i)]; !there {
			given[name(i)] = pair{Of: texts[i].Source} // it counts as empty, and is asked for once more
		}
	}
	if len(given) != len(texts) {
		return nil, fmt.Errorf("%w: the reply has texts that were not asked for", llm.ErrShape)
	}
	return given, nil
}

func asJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only strings and booleans, so it cannot fail
	}
	return b.String()
}

// batches divides the due entries into requests: by block, in the guide's order, the texts of one item together as far as they
// fit.
func batches(translated *translation.Translation, due []int) (all [][]translation.Segment) {
	var batch []translation.Segment
	runes := 0
	for _, i := range due {
		s := translated.Entries[i].Segment
		length := utf8.RuneCountInString(s.Source)
		full := len(batch) >= maxTexts || runes+length > maxRunes
		if len(batch) > 0 && (full || s.Part != batch[0].Part) {
			all, batch, runes = append(all, batch), nil, 0
		}
		batch, runes = append(batch, s), runes+length
	}
	if len(batch) > 0 {
		all = append(all, batch)
	}
	return all
}

// before returns the questions that precede a text, the nearest last.
func before(translated *translation.Translation, at translation.Segment) (texts []string) {
	const maxBefore = 4
	for i := range translated.Entries {
		switch e := &translated.Entries[i]; {
		case e.Key == at.Key:
			return texts[max(len(texts)-maxBefore, 0):]
		case e.Kind == translation.Question || e.Kind == translation.Statement:
			texts = append(texts, e.Source)
		}
	}
	return nil
}
