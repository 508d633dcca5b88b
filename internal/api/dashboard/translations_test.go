package dashboard_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/platform/llm"
	"verbatim/internal/service/translator"
)

func itoa(n int) string { return strconv.Itoa(n) }

// silent is a model that is only named.
type silent struct{}

func (silent) Model() string { return "silent" }

func (silent) Chat(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{}, llm.ErrUnavailable
}

// bilingual is a guide that is offered in German as well.
const bilingual = `{"title":"Fruit","config":{"questionLanguage":"en","availableLanguages":["de"]},"studyGuide":[{"type":"flat","title":"","externalId":"b","items":[
	{"type":"open_ended","externalId":"why","text":"Why do you eat it, {name}?"},
	{"type":"multiple_choice","externalId":"which","text":"Which fruit?","options":[{"externalId":"a","text":"Apples"},{"externalId":"p","text":"Pears"}]}]}]}`

// TestTranslations: texts are written, checked, approved, and only then offered to participants.
func TestTranslations(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.as(f.Admin)
	st, _ := b.draft(bilingual)
	base := "/api/dashboard/studies/" + st + "/translations"
	german := base + "/de"
	if got := field(t, b.get(base).Want(t, 200, ""), "languages", 0, "untranslated"); got != "5" {
		t.Errorf("%s texts are missing: %s", got, b.get(base).Body)
	}
	reply := b.do("PATCH", german, `{"texts":{"item/why/text":"Warum essen Sie das?","item/which/text":"Welches Obst?","item/which/option/a":"Obst","item/which/option/p":"Obst","nothing":"x"}}`).Want(t, 200, "")
	refused := field(t, reply, "refused")
	for _, want := range []string{"placeholders", "reads the same", "no such text"} {
		if !strings.Contains(refused, want) {
			t.Errorf("%q is not among the reasons %s", want, refused)
		}
	}
	if got := field(t, reply, "progress", "edited"); got != "1" {
		t.Errorf("%s texts were stored", got)
	}
	approval := b.do("POST", german+"/approval", `{"keys":["item/why/text","nothing"]}`).Want(t, 200, "")
	if got := field(t, approval, "refused"); !strings.Contains(got, "not translated") || !strings.Contains(got, "no such text") {
		t.Errorf("approved what is not there: %s", got)
	}
	b.do("PATCH", german, `{"texts":{"study/title":"Obst","item/why/text":"Warum essen Sie es, {name}?","item/which/option/a":"Äpfel","item/which/option/p":"Birnen"}}`).Want(t, 200, "")
	if got := field(t, b.get(german).Want(t, 200, ""), "progress", "offered"); got != "false" {
		t.Error("a language is offered before anybody has approved it")
	}
	b.do("POST", german+"/approval", `{}`).Want(t, 200, "")
	if got := field(t, b.get(base), "languages", 0, "offered"); got != "true" {
		t.Errorf("an approved language is not offered: %s", b.get(base).Body)
	}
	b.do("PATCH", german, `{"texts":{"item/which/text":""}}`).Want(t, 200, "")
	if got := field(t, b.get(base), "languages", 0, "untranslated"); got != "1" {
		t.Errorf("%s texts are missing after one was taken away", got)
	}
	b.do("PATCH", german, `{"text":{}}`).Want(t, 400, "invalid_request_body")
	b.do("POST", german+"/approval", `{"keys":7}`).Want(t, 400, "invalid_request_body")
	b.do("POST", german+"/machine", "").Want(t, 409, "no_model")
	for method, path := range map[string]string{"GET": base + "/fr", "PATCH": base + "/fr", "POST": base + "/fr/approval"} {
		b.do(method, path, map[string]string{"PATCH": `{"texts":{}}`, "POST": `{}`}[method]).Want(t, 404, "not_found")
	}
	b.do("POST", base+"/fr/machine", "").Want(t, 404, "not_found")
	f.api().Translator = &translator.Service{Store: f.Store, Model: silent{}}
	for range 2 {
		if got := field(t, b.do("POST", german+"/machine", "").Want(t, 202, ""), "waiting"); got != "true" {
			t.Error("no model is asked")
		}
	}
}
