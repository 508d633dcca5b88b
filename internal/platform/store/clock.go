package store

import (
	"context"
	"time"
)

// clockSamples is how often the database is asked for its time at each measurement: the fastest answer is the most exact one.
const clockSamples = 3

// MeasureClock asks the database for its time and returns how far this process's clock is ahead of it; negative where it is
// behind. Half of a round trip is the error at most. It is 0 on SQLite, which has no clock of its own.
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
	s.ahead.Store(int64(ahead))
	s.compared.Store(true)
	return ahead, nil
}

// ClockAhead returns what MeasureClock returned last; 0 before it did.
func (s *Store) ClockAhead() time.Duration { return time.Duration(s.ahead.Load()) }

// Clock is ClockAhead for metrics, and reports whether it was measured.
func (s *Store) Clock() (ahead time.Duration, known bool) { return s.ClockAhead(), s.compared.Load() }

// shared is the time by the database's clock, as last measured: for what nodes compare with each other's times.
func (v *View) shared() time.Time { return v.now().Add(-v.ahead) }
