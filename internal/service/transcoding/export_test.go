package transcoding

import "time"

// Budget exports budget to tests.
func (w *Worker) Budget(bytes int64, duration time.Duration, attempt int) time.Duration {
	return w.budget(bytes, duration, attempt)
}
