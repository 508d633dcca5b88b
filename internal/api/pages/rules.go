package pages

import (
	"encoding/json"

	"verbatim/internal/domain/strictjson"
	"verbatim/web"
)

// sharedRules are the rules that these pages share with the app. They stand in web/shared/rules.json, which the app's build includes.
type sharedRules struct {
	AnswerErrors []answerErrorRule `json:"answerErrors"`
	// FileErrors maps the error codes that refuse a file to the keys of their messages.
	FileErrors map[string]struct {
		Page string `json:"page"`
		App  string `json:"app"`
	} `json:"fileErrors"`
	// Notices maps the error codes that end an interview on its page to the prefixes of their words.
	Notices map[string]string `json:"notices"`
	// Limits are those that the app needs. They are constants in Go, too, and a test compares the two.
	Limits struct {
		TextCharacters  int `json:"textCharacters"`
		TelemetryCount  int `json:"telemetryCount"`
		UploadHours     int `json:"uploadHours"`
		LanguageButtons int `json:"languageButtons"`
	} `json:"limits"`
}

// answerErrorRule names the message for issues of a field, with a code and what was expected; any where they are "".
type answerErrorRule struct {
	Field    string `json:"field"`
	Code     string `json:"code"`
	Expected string `json:"expected"`
	Words    string `json:"words"` // the key of the message
}

var rules = parseRules(web.Rules)

func parseRules(text []byte) (r sharedRules) {
	if err := json.Unmarshal(text, &r); err != nil {
		panic("web/shared/rules.json: " + err.Error()) // it is embedded, and tests read it
	}
	return r
}

// errorKey returns the key of the message for an issue of an answer. The first rule that fits decides.
func (r *sharedRules) errorKey(issue strictjson.Issue) string {
	field := ""
	if len(issue.Path) > 0 {
		field = issue.Path[0]
	}
	fits := func(rule, value string) bool { return rule == "" || rule == value }
	for _, rule := range r.AnswerErrors {
		if fits(rule.Field, field) && fits(rule.Code, issue.Code) && fits(rule.Expected, issue.Expected) {
			return rule.Words
		}
	}
	return "errOther"
}
