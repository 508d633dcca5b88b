package transcoding

import "time"

// Budget is budget, for tests.
func (w *Worker) Budget(bytes int64, duration time.Duration, attempt int) time.Duration {
	return w.budget(bytes, duration, attempt)
}
