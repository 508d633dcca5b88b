package usage

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// ErrCeiling reports that a call to a paid service would exceed a ceiling; the call is not made. A CeilingError has the
// details.
var ErrCeiling = errors.New("the ceiling of what may be used is reached")

// Scope identifies on whose behalf a model is asked. Ids that do not apply are empty.
type Scope struct {
	OrgID      string
	StudyID    string
	ResponseID string
}

// Amount is the cost of calls.
type Amount struct {
	PromptTokens     int64
	CompletionTokens int64
	MicroCost        int64 // millionths of the operator's currency
}

// Tokens returns the sum of both kinds of tokens.
func (a Amount) Tokens() int64 { return a.PromptTokens + a.CompletionTokens }

// Plus returns the sum of two amounts.
func (a Amount) Plus(b Amount) Amount {
	return Amount{a.PromptTokens + b.PromptTokens, a.CompletionTokens + b.CompletionTokens, a.MicroCost + b.MicroCost}
}

// MaxTokens bounds what one call can be reported to have cost, so that no number from a service makes a sum overflow.
const MaxTokens = 1 << 31

// Prices are in millionths of the operator's currency per million tokens. The zero value costs nothing.
type Prices struct {
	Prompt     int64
	Completion int64
}

// Cost returns the amount of so many tokens with their cost, rounded up. Numbers outside the bounds are replaced by the
// nearest bound.
func (p Prices) Cost(promptTokens, completionTokens int64) Amount {
	a := Amount{PromptTokens: min(max(promptTokens, 0), MaxTokens), CompletionTokens: min(max(completionTokens, 0), MaxTokens)}
	const million = 1e6
	cost := math.Ceil((float64(a.PromptTokens)*float64(p.Prompt) + float64(a.CompletionTokens)*float64(p.Completion)) / million)
	a.MicroCost = int64(min(cost, 1e15))
	return a
}

// Ceiling bounds an amount. A field of 0 is no bound.
type Ceiling struct {
	Tokens    int64
	MicroCost int64
}

// Limits are ceilings that apply at the same time.
type Limits struct {
	Interview Ceiling
	Study     Ceiling
	Day       Ceiling // of the entire installation, in UTC
}

// Any reports whether there is any ceiling.
func (l Limits) Any() bool { return l != Limits{} }

// Totals holds what was spent, including what calls in progress may still spend.
type Totals struct {
	Interview Amount
	Study     Amount
	Day       Amount
}

// Check returns a *CeilingError if another call that may cost up to next would exceed a ceiling that applies.
func (l Limits) Check(scope Scope, spent Totals, next Amount) error {
	for _, c := range []struct {
		of      string
		applies bool
		ceiling Ceiling
		total   Amount
	}{
		{"interview", scope.ResponseID != "", l.Interview, spent.Interview},
		{"study", scope.StudyID != "", l.Study, spent.Study},
		{"day", true, l.Day, spent.Day},
	} {
		if !c.applies {
			continue
		}
		total := c.total.Plus(next)
		if c.ceiling.Tokens > 0 && total.Tokens() > c.ceiling.Tokens {
			return &CeilingError{Of: c.of, Unit: UnitTokens, Ceiling: c.ceiling.Tokens, Would: total.Tokens()}
		}
		if c.ceiling.MicroCost > 0 && total.MicroCost > c.ceiling.MicroCost {
			return &CeilingError{Of: c.of, Unit: UnitCost, Ceiling: c.ceiling.MicroCost, Would: total.MicroCost}
		}
	}
	return nil
}

// SpeechLimits are the ceilings of speech that is transcribed; all apply at the same time. A field of 0 is no bound.
type SpeechLimits struct {
	Interview time.Duration
	Study     time.Duration
	Day       time.Duration // of the entire installation, in UTC
}

// SpeechTotals is the speech sent to services, including what is about to be sent. A field of 0 does not apply.
type SpeechTotals struct {
	Interview time.Duration
	Study     time.Duration
	Day       time.Duration
}

// Check returns a *CeilingError if a total exceeds its ceiling.
func (l SpeechLimits) Check(totals SpeechTotals) error {
	for _, c := range []struct {
		of             string
		ceiling, total time.Duration
	}{
		{"interview", l.Interview, totals.Interview},
		{"study", l.Study, totals.Study},
		{"day", l.Day, totals.Day},
	} {
		if c.ceiling > 0 && c.total > c.ceiling {
			return &CeilingError{Of: c.of, Unit: UnitSpeech, Ceiling: c.ceiling.Microseconds(), Would: c.total.Microseconds()}
		}
	}
	return nil
}

// The units of ceilings.
const (
	UnitTokens = "tokens"
	UnitCost   = "cost"   // millionths of the operator's currency
	UnitSpeech = "speech" // microseconds
)

// CeilingError is an ErrCeiling that names the ceiling that would be exceeded.
type CeilingError struct {
	Of      string // interview, study or day
	Unit    string
	Ceiling int64
	Would   int64 // the total with the call
}

// Size formats a number in the error's unit.
func (e *CeilingError) Size(n int64) string {
	switch e.Unit {
	case UnitCost:
		return Money(n)
	case UnitSpeech:
		return (time.Duration(n) * time.Microsecond).Round(time.Second).String() + " of speech"
	}
	return fmt.Sprintf("%d tokens", n)
}

// Error implements error.
func (e *CeilingError) Error() string {
	return fmt.Sprintf("%v: the %s would come to %s, of %s", ErrCeiling, e.Of, e.Size(e.Would), e.Size(e.Ceiling))
}

// Unwrap returns ErrCeiling.
func (e *CeilingError) Unwrap() error { return ErrCeiling }
