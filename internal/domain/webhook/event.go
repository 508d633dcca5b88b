package webhook

import (
	"encoding/json"
	"maps"
	"time"

	"verbatim/internal/domain/response"
)

// Type names what happened.
type Type string

// The types of events.
const (
	ResponseCompleted   Type = "response.completed"
	ResponseScreenedOut Type = "response.screened_out" // by an answer
	ResponseQuotaFull   Type = "response.quota_full"   // screened out because a quota was full
	ResponseAbandoned   Type = "response.abandoned"    // closed after a long silence; its participant may come back
	ResponseAnalyzed    Type = "response.analyzed"
	ResponseDeleted     Type = "response.deleted"
	StudyLaunched       Type = "study.launched"
	StudyPaused         Type = "study.paused"
	StudyReopened       Type = "study.reopened"
	StudyClosed         Type = "study.closed"
	Test                Type = "test" // sent on request, to one endpoint
)

// Types lists the types that an endpoint can choose from.
var Types = []Type{
	ResponseCompleted, ResponseScreenedOut, ResponseQuotaFull, ResponseAbandoned, ResponseAnalyzed, ResponseDeleted,
	StudyLaunched, StudyPaused, StudyReopened, StudyClosed,
}

// Event is something that happened. Its facts are those of the moment; Subject orders it among others.
type Event struct {
	ID         string
	Type       Type
	OrgID      string
	StudyID    string // empty: a test
	ResponseID string // empty: it is not about a response, or the response is deleted
	Subject    string // the id of what it is about: events of one subject arrive in their order
	At         time.Time
	Facts      []byte // a JSON object
}

// OfResponse returns an event of a response.
func OfResponse(of Type, r response.Response) Event {
	e := Event{Type: of, OrgID: r.OrgID, StudyID: r.StudyID, ResponseID: r.ID, Subject: r.ID}
	facts := map[string]any{
		"responseId": r.ID, "number": r.ReadableID, "status": r.Progress, "language": r.Language, "startedAt": wireTime(r.CreatedAt), "endedAt": wireTime(r.EndedAt),
		"parameters": r.VisibleParams(),
	}
	if of == ResponseDeleted {
		e.ResponseID, facts = "", map[string]any{"responseId": r.ID, "number": r.ReadableID}
	}
	e.Facts = encode(facts)
	return e
}

// OfStudy returns an event of a study.
func OfStudy(of Type, orgID, studyID, status string) Event {
	return Event{Type: of, OrgID: orgID, StudyID: studyID, Subject: studyID, Facts: encode(map[string]any{"status": status})}
}

// OfEndpoint returns a test event for an endpoint.
func OfEndpoint(e Endpoint, id string) Event {
	return Event{ID: id, Type: Test, OrgID: e.OrgID, Subject: id, Facts: encode(map[string]any{"webhookId": e.ID})}
}

// Body returns the body of the message about an event for an endpoint. linkID is the study's; item is the response as the v1 API lists it,
// and nil where it is not sent.
func Body(e Event, to Endpoint, linkID string, item []byte) ([]byte, error) {
	data := map[string]any{}
	if err := json.Unmarshal(e.Facts, &data); err != nil {
		return nil, err
	}
	data["organizationId"] = e.OrgID
	if e.StudyID != "" {
		data["studyId"], data["linkId"] = e.StudyID, linkID
	}
	if !to.Parameters {
		delete(data, "parameters")
	}
	if item != nil {
		sent := map[string]json.RawMessage{}
		if err := json.Unmarshal(item, &sent); err != nil {
			return nil, err
		}
		if !to.Parameters {
			maps.DeleteFunc(sent, func(name string, _ json.RawMessage) bool { return name == "urlParams" })
		}
		data["response"] = sent
	}
	return json.Marshal(map[string]any{"type": e.Type, "timestamp": wireTime(e.At), "data": data})
}

// wireTime encodes a time; nil is the zero time.
func wireTime(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000Z")
}

func encode(facts map[string]any) []byte {
	text, err := json.Marshal(facts)
	if err != nil {
		return []byte("{}") // texts, numbers and maps of texts encode
	}
	return text
}
