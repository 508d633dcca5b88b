package pages

import (
	"maps"
	"slices"
	"testing"
	"time"

	"verbatim/internal/api/locale"
	"verbatim/internal/api/participant"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/strictjson"
)

// TestSharedLimits compares the limits that the app reads in web/shared/rules.json with those of the server. Package
// participant does it for telemetry.
func TestSharedLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ app, server int }{
		"textCharacters":  {rules.Limits.TextCharacters, interview.MaxText},
		"uploadHours":     {rules.Limits.UploadHours, int(recording.Defaults.Lifetime / time.Hour)},
		"languageButtons": {rules.Limits.LanguageButtons, fewLanguages},
	} {
		if c.app != c.server {
			t.Errorf("%s is %d in web/shared/rules.json, and %d on the server", name, c.app, c.server)
		}
	}
}

// TestSharedRulesHaveWords checks that every rule names an error code of this API and words that exist.
func TestSharedRulesHaveWords(t *testing.T) {
	t.Parallel()
	english := locale.WordsFor("en")
	hasWords := func(keys ...string) {
		for _, key := range keys {
			if english[key] == "" {
				t.Errorf("there are no words %q", key)
			}
		}
	}
	codes := map[string]bool{"not_found": true} // of httpx
	for _, row := range participant.Errors {
		codes[row.Code] = true
	}
	for code, keys := range rules.FileErrors {
		hasWords(keys.Page, keys.App)
		if !codes[code] {
			t.Errorf("a file error has the unknown code %q", code)
		}
	}
	for code, prefix := range rules.Notices {
		hasWords(prefix+"Title", prefix+"Text")
		if !codes[code] {
			t.Errorf("a notice has the unknown code %q", code)
		}
	}
	for _, rule := range rules.AnswerErrors {
		hasWords(rule.Words)
	}
	if last := rules.AnswerErrors[len(rules.AnswerErrors)-1]; last != (answerErrorRule{Words: "errOther"}) {
		t.Errorf("the last rule does not fit every issue: %+v", last)
	}
	if len(rules.FileErrors) == 0 || len(rules.Notices) == 0 {
		t.Errorf("rules are missing; there are file errors %v and notices %v", slices.Sorted(maps.Keys(rules.FileErrors)), rules.Notices)
	}
}

func TestErrorKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ field, code, expected, want string }{
		{"text", strictjson.TooSmall, "at least 1", "errText"},
		{"text", strictjson.TooBig, "20000", "errLong"},
		{"customText", strictjson.TooSmall, "1", "errCustom"},
		{"customText", strictjson.TooBig, "20000", "errLong"},
		{"selected", strictjson.TooSmall, "1", "errOne"},
		{"selected", strictjson.TooSmall, "2", "errAtLeast"},
		{"selected", strictjson.TooBig, "2", "errAtMost"},
		{"selected", strictjson.Custom, "", "errExclusive"},
		{"selected", strictjson.InvalidEnumValue, "", "errOther"},
		{"cells", strictjson.InvalidType, "", "errRows"},
		{"cells", strictjson.TooBig, "", "errLong"},
		{"best", strictjson.Custom, "", "errBestWorst"},
		{"worst", strictjson.Custom, "", "errDifferent"},
		{"worst", strictjson.InvalidType, "", "errBestWorst"},
		{"uploads", strictjson.TooSmall, "1", "errUpload"},
		{"ranking", strictjson.Custom, "", "errOther"},
		{"", strictjson.Custom, "", "errOther"},
	} {
		issue := strictjson.Issue{Code: c.code, Expected: c.expected}
		if c.field != "" {
			issue.Path = []string{c.field}
		}
		if got := rules.errorKey(issue); got != c.want {
			t.Errorf("%q %s expected %q: %s, want %s", c.field, c.code, c.expected, got, c.want)
		}
	}
}
