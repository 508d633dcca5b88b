// Package interviewlog loads interviews from their logs and saves them with their documents. It is the one place that does
// so, for the services that run, transcribe, analyse, check and count interviews.
//
// A Loader compiles the revision of the guide that an interview runs on, and keeps it. Its Load reads an interview's turns and
// replays them; CompiledGuide.Replay does so with turns that the caller has read or changed. Nothing is replayed in a
// transaction: an interview is loaded, worked on, and then saved in a transaction that begins with its optimistic lock. The
// lock is the response as it was loaded. Lock and Append return response.ErrMoved if the stored one differs, and the caller
// loads the interview again:
//
//	err = s.Write(ctx, func(tx *store.Tx) error {
//		if err := iv.Lock(ctx, tx); err != nil {
//			return err
//		}
//		... // change rows of the interview
//		_, err := iv.Save(ctx, tx, activeAt, analysis)
//		return err
//	})
package interviewlog
