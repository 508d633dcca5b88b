package review

import (
	"context"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Play notes in the audit log that a recording of a response is played in a session: once an hour, however often it is begun and in however
// many pieces the browser asks for it; response.ErrNotFound, recording.ErrNoRecording.
func (s *Service) Play(ctx context.Context, st Study, number, row int, kind recording.Kind, sessionID string) (err error) {
	defer operation.Wrap(&err, "review.Play")
	item, err := s.Store.View().ItemByReadableID(ctx, st.ID, number)
	if err != nil {
		return err
	}
	recorded, err := s.Store.View().Recordings(ctx, item.ResponseID)
	if err != nil {
		return err
	}
	for _, r := range recorded {
		if r.Row != row || r.Kind != kind {
			continue
		}
		return s.Store.Write(ctx, func(tx *store.Tx) error {
			fresh, err := tx.NotePlay(ctx, r.ID, sessionID)
			if err != nil || !fresh {
				return err
			}
			return tx.Audit(ctx, org.AuditEntry{
				OrgID: st.OrgID, UserID: st.Caller.UserID, Action: org.AuditPlayed, Subject: subject(st, []int{number}),
				Detail: map[string]string{"kind": string(kind), "recording": r.ID},
			})
		})
	}
	return recording.ErrNoRecording
}
