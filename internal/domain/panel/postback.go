package panel

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// Message is a request to the panel's server.
type Message struct {
	Method string
	URL    string
	Body   string // JSON; empty for GET

	KeyHeader string // the header that carries the panel's API key; empty: none
}

// Facts stand in the program's own body of a postback, beside Values.
type Facts struct {
	StudyID string
	At      time.Time
}

// Message returns the request that tells the panel's server of an outcome.
func (s *Settings) Message(outcome Outcome, v Values, f Facts) (m Message, err error) {
	v.Status, m.KeyHeader = s.Status(outcome), s.Postback.KeyHeader
	if m.URL, err = v.address(s.Postback.URL); err != nil {
		return Message{}, err
	}
	if s.Postback.Get {
		m.Method = "GET"
		return m, nil
	}
	m.Method = "POST"
	if s.Postback.Body != "" {
		quoted := v.quoted()
		m.Body, err = quoted.text(s.Postback.Body)
		return m, err
	}
	body, err := json.Marshal(map[string]any{
		"outcome": outcome, "status": v.Status, "participant": v.Participant, "responseId": v.ResponseID, "studyId": f.StudyID,
		"completionCode": v.Code, "at": f.At.UTC().Format(time.RFC3339Nano),
	})
	m.Body = string(body)
	return m, err
}

// quoted returns the values as they stand between the quotation marks of a JSON text.
func (v Values) quoted() Values {
	params := make(map[string]string, len(v.Params))
	for name, value := range v.Params {
		params[name] = inJSON(value)
	}
	return Values{Participant: inJSON(v.Participant), Params: params, ResponseID: inJSON(v.ResponseID), Status: inJSON(v.Status), Code: inJSON(v.Code)}
}

func inJSON(value string) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "" // strings encode
	}
	return string(text[1 : len(text)-1])
}

// CheckBody returns an error for a template of a body that is not JSON whatever the participants' parameters are. What a participant may
// choose must stand between quotation marks; {{status}} may also stand alone where every status is a number.
func (s *Settings) CheckBody(template string, identified bool) error {
	if err := CheckText(Body, template, identified); err != nil {
		return err
	}
	parts, err := split(template)
	if err != nil {
		return err
	}
	for _, outcome := range Outcomes {
		text := ""
		for _, p := range parts {
			switch p.name {
			case "":
				text += p.literal
			case "status":
				text += inJSON(s.Status(outcome))
			default:
				text += "word" // which is JSON between quotation marks alone
			}
		}
		if s.Sends(outcome) && !json.Valid([]byte(text)) {
			return errors.New("it must be JSON with each placeholder between quotation marks; {{status}} may stand without them where every status is a number")
		}
	}
	return nil
}

// PostbackSignature returns the value of the header that signs a message at a time: "t=SECONDS,v1=HEX", with the HMAC-SHA256 of
// "SECONDS.URL\nBODY".
func PostbackSignature(secret string, m Message, at time.Time) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	return "t=" + seconds + ",v1=" + MAC(SHA256, Hex, secret, seconds+"."+m.URL+"\n"+m.Body)
}
