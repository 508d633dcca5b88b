package store

import (
	"context"
	"time"
)

// NotePlay notes that a recording is played in a session, and reports whether that is new within the hour. It forgets earlier hours.
func (tx *Tx) NotePlay(ctx context.Context, recordingID, sessionID string) (fresh bool, err error) {
	hour := tx.at.Unix() / int64(time.Hour/time.Second)
	n, err := tx.exec(ctx, `insert into recording_play (recording_id, session_id, hour)
		values ($1, $2, $3)
		on conflict do nothing`, recordingID, sessionID, hour)
	if err != nil || n == 0 {
		return false, err
	}
	_, err = tx.exec(ctx, `delete from recording_play where hour < $1`, hour-1)
	return true, err
}
