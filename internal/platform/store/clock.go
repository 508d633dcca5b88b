package store

import (
	"context"
	"time"
)

// clockSamples is how often each measurement asks the database for its time: the fastest answer is the most accurate.
const clockSamples = 3

// MeasureClock asks the database for its time and returns how far this process's clock is ahead of it; negative if it is
// behind. The error is at most half of a round trip. It returns 0 on SQLite, which has no clock of its own.
func (s *Store) MeasureClock(ctx context.Context) (ahead time.Duration, err error) {
	if s.dialect.singleWriter() {
		return 0, nil
	}
	var fastest time.Duration
	for i := range clockSamples {
		begun, local := time.Now(), s.now()
		var micro int64
		if err := s.reads.QueryRowContext(ctx, `select (extract(epoch from clock_timestamp()) * 1000000)::bigint`).Scan(&micro); err != nil {
			return 0, err
		}
		if took := time.Since(begun); i == 0 || took < fastest {
			fastest, ahead = took, local.Add(took/2).Sub(time.UnixMicro(micro))
		}
	}
	s.setClockAhead(ahead)
	return ahead, nil
}

// ClockAhead returns the last result of MeasureClock; 0 before the first.
func (s *Store) ClockAhead() time.Duration { return time.Duration(s.clockAhead.Load()) }

// Clock returns ClockAhead for metrics, and reports whether it was measured.
func (s *Store) Clock() (ahead time.Duration, known bool) {
	return s.ClockAhead(), s.clockMeasured.Load()
}

// clock returns the database's time as far as it is known. s.mu is held.
func (s *Store) clock() time.Time {
	return s.now().Add(-s.ClockAhead()).UTC().Truncate(time.Microsecond)
}

// clockJump bounds how long times that Now returned before may hold it back. If ClockAhead changes by more, Now follows the
// clock at once, even to a time before them.
const clockJump = time.Second

func (s *Store) setClockAhead(ahead time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := time.Duration(s.clockAhead.Swap(int64(ahead)))
	if (ahead - was).Abs() > clockJump {
		s.last = time.Time{}
	}
	s.clockMeasured.Store(true)
}
