package panel

import (
	"maps"
	"slices"
)

// Presets returns the names of the presets.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// Preset returns the JSON of config.verbatim.panel for a panel, with words in capitals to replace; false if there is none by the name.
// docs/panels.md says where each was read.
func Preset(name string) (text string, found bool) {
	text, found = presets[name]
	return text, found
}

var presets = map[string]string{
	"plain": `{
  "participant": { "parameter": "pid" },
  "redirects": {
    "complete": "https://PANEL.example/back?pid={{pid}}&status={{status}}",
    "screenedOut": "https://PANEL.example/back?pid={{pid}}&status={{status}}",
    "quotaFull": "https://PANEL.example/back?pid={{pid}}&status={{status}}",
    "closed": "https://PANEL.example/back?pid={{pid}}&status={{status}}",
    "withdrawn": "https://PANEL.example/back?pid={{pid}}&status={{status}}"
  },
  "signature": { "algorithm": "hmac-sha256", "parameter": "signature" },
  "postback": { "url": "https://PANEL.example/postback" }
}`,
	"test": `{
  "participant": { "parameter": "pid" },
  "redirects": {
    "complete": "http://127.0.0.1:8090/back?pid={{pid}}&status={{status}}",
    "screenedOut": "http://127.0.0.1:8090/back?pid={{pid}}&status={{status}}",
    "quotaFull": "http://127.0.0.1:8090/back?pid={{pid}}&status={{status}}",
    "closed": "http://127.0.0.1:8090/back?pid={{pid}}&status={{status}}",
    "withdrawn": "http://127.0.0.1:8090/back?pid={{pid}}&status={{status}}"
  },
  "postback": { "url": "http://127.0.0.1:8090/postback" }
}`,
	"prolific": `{
  "participant": { "parameter": "PROLIFIC_PID" },
  "completionCode": { "fixed": "COMPLETION-CODE" },
  "redirects": {
    "complete": "https://app.prolific.com/submissions/complete?cc={{code}}",
    "screenedOut": "https://app.prolific.com/submissions/complete?cc=SCREEN-OUT-CODE",
    "quotaFull": "https://app.prolific.com/submissions/complete?cc=QUOTA-FULL-CODE"
  }
}`,
	"cint": `{
  "participant": { "parameter": "rid" },
  "statuses": { "complete": "5", "screenedOut": "2", "quotaFull": "3" },
  "redirects": {
    "complete": "https://RETURN-ADDRESS-FROM-CINT.example/?rid={{pid}}",
    "screenedOut": "https://RETURN-ADDRESS-FROM-CINT.example/?rid={{pid}}",
    "quotaFull": "https://RETURN-ADDRESS-FROM-CINT.example/?rid={{pid}}"
  },
  "postback": {
    "url": "https://s2s.cint.com/fulfillment/respondents/transition",
    "body": "{\"id\": \"{{pid}}\", \"status\": {{status}}}",
    "keyHeader": "Authorization",
    "outcomes": ["complete", "screened_out", "quota_full"]
  }
}`,
	"lucid": `{
  "participant": { "parameter": "RID" },
  "redirects": {
    "complete": "https://notch.insights.supply/cb?token=TOKEN-OF-COMPLETE&RID={{pid}}",
    "screenedOut": "https://notch.insights.supply/cb?token=TOKEN-OF-TERMINATE&RID={{pid}}",
    "quotaFull": "https://notch.insights.supply/cb?token=TOKEN-OF-OVERQUOTA&RID={{pid}}"
  },
  "signature": { "algorithm": "hmac-sha1", "parameter": "hash", "signs": "{{url}}&", "encoding": "base64url" }
}`,
	"dynata": `{
  "participant": { "parameter": "pid" },
  "redirects": {
    "complete": "https://api.dynata.com/respondent/exit?rst=1&psid={{param.psid}}",
    "screenedOut": "https://api.dynata.com/respondent/exit?rst=2&psid={{param.psid}}",
    "quotaFull": "https://api.dynata.com/respondent/exit?rst=3&psid={{param.psid}}"
  },
  "signature": { "algorithm": "dynata", "parameter": "med", "outcomes": ["complete"] }
}`,
	"toluna": `{
  "participant": { "parameter": "gid" },
  "statuses": { "complete": "Qualified", "screenedOut": "Terminated", "quotaFull": "QuotaFull" },
  "redirects": {
    "complete": "https://ups.surveyrouter.com/TrafficUI/MSCUI/SOQualified.aspx?GID={{pid}}",
    "screenedOut": "https://ups.surveyrouter.com/TrafficUI/MSCUI/SOTerminated.aspx?GID={{pid}}",
    "quotaFull": "https://ups.surveyrouter.com/TrafficUI/MSCUI/SOQuotafull.aspx?GID={{pid}}"
  },
  "postback": {
    "url": "https://HOST-FROM-TOLUNA.example/client/survey_end",
    "body": "{\"Gid\": \"{{pid}}\", \"CompletionStatus\": \"{{status}}\"}",
    "keyHeader": "x-api-key",
    "outcomes": ["complete", "screened_out", "quota_full"]
  }
}`,
}
