package signin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/outage"
)

// TestSlowdown: tries wait longer after each failure, others are not held up, and an hour later all is forgotten.
func TestSlowdown(t *testing.T) {
	t.Parallel()
	var s slowdown
	now := time.Unix(1e9, 0)
	names := func(network, address string) []limited {
		return []limited{{"pair " + network + address, pairLimit}, {"address " + address, addressLimit}, {"network " + network, networkLimit}}
	}
	mine := names("n", "a")
	for i := range pairLimit.free {
		if wait := s.begin(now, mine...); wait != 0 {
			t.Fatalf("try %d waits %s", i, wait)
		}
	}
	last := time.Duration(0)
	for range 12 {
		wait := s.begin(now, mine...)
		if wait < last || wait == 0 || wait > pairLimit.longest {
			t.Fatalf("after %s a try waits %s", last, wait)
		}
		last = wait
		if again := s.begin(now, mine...); again != wait {
			t.Errorf("a refused try counts: %s after %s", again, wait)
		}
		now = now.Add(wait)
		if wait := s.begin(now, mine...); wait != 0 {
			t.Fatalf("after its time a try waits %s more", wait)
		}
	}
	if wait := s.begin(now, names("m", "a")...); wait != 0 {
		t.Errorf("the owner, from another network, waits %s", wait)
	}
	now = now.Add(forgetAfter)
	if wait := s.begin(now, mine...); wait != 0 {
		t.Errorf("an hour later a try waits %s", wait)
	}
	s.succeeded(mine...)
	if len(s.names) != 0 && s.names["pair na"].failures != 0 {
		t.Errorf("after a success: %v", s.names)
	}
}

// TestSlowdownIsBounded: strangers cannot make it remember more than its limit.
func TestSlowdownIsBounded(t *testing.T) {
	t.Parallel()
	var s slowdown
	for i := range maxNames + 1000 {
		s.begin(time.Unix(1e9, 0), limited{fmt.Sprint(i), pairLimit})
	}
	if len(s.names) > maxNames {
		t.Errorf("%d names are remembered", len(s.names))
	}
}

// TestUnknownAddressesCostTheSame: what is compared where there is no password asks for the same work as a real hash.
func TestUnknownAddressesCostTheSame(t *testing.T) {
	t.Parallel()
	s := &Service{Cost: org.PasswordCost{Memory: 16, Passes: 2, Threads: 1}}
	if same, err := s.matches(t.Context(), "x", ""); same || err != nil {
		t.Fatalf("%v, %v", same, err)
	}
	real, err := s.hashOf(t.Context(), "correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	cost := func(hash string) string { return strings.Join(strings.Split(hash, "$")[:4], "$") }
	if cost(s.decoy()) != cost(real) || len(s.decoy()) != len(real) {
		t.Errorf("%s and %s", s.decoy(), real)
	}
}

// TestHashingIsBounded: beyond so many that wait, a try is refused at once.
func TestHashingIsBounded(t *testing.T) {
	t.Parallel()
	var h hashing
	var leaves []func()
	for range maxHashing {
		leave, err := h.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, leave)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if !h.waiting.TryAcquire(maxWaiting) { // as if so many waited
		t.Fatal("there is too little room to wait")
	}
	if _, err := h.enter(ctx); !errors.Is(err, outage.ErrBusy) {
		t.Errorf("one more: %v", err)
	}
	h.waiting.Release(maxWaiting)
	cancel()
	if _, err := h.enter(ctx); !errors.Is(err, context.Canceled) { // it would have had to wait
		t.Errorf("while all are busy: %v", err)
	}
	for _, leave := range leaves {
		leave()
	}
	if !h.waiting.TryAcquire(maxHashing+maxWaiting) || !h.running.TryAcquire(maxHashing) {
		t.Error("somebody who left still has a place")
	}
}
