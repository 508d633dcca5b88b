package wallet_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/domain/wallet"
)

func TestCreditsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := wallet.Credits(rapid.Int64Range(0, math.MaxInt64/1000).Draw(t, "milli"))
		if got, err := wallet.ParseCredits(want.String()); err != nil || got != want {
			t.Fatalf("ParseCredits(%q) = %d, %v, want %d", want, got, err, want)
		}
		text, err := json.Marshal(map[string]wallet.Credits{"balance": want})
		if err != nil {
			t.Fatal(err)
		}
		var number map[string]json.Number
		if err := json.Unmarshal(text, &number); err != nil || number["balance"].String() != want.String() {
			t.Fatalf("JSON %s, %v, want the number %s", text, err, want)
		}
	})
}

func TestCreditsString(t *testing.T) {
	t.Parallel()
	for c, want := range map[wallet.Credits]string{
		0: "0", 1: "0.001", 10: "0.01", 500: "0.5", 1000: "1", 1001: "1.001", 100_000: "100", 12_340: "12.34",
		-1: "-0.001", -1500: "-1.5", math.MaxInt64: "9223372036854775.807", math.MinInt64: "-9223372036854775.808",
	} {
		if got := c.String(); got != want {
			t.Errorf("%d is written %q, want %q", int64(c), got, want)
		}
	}
}

func TestParseCredits(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]wallet.Credits{"0": 0, "12": 12_000, "0.5": 500, "0.125": 125, "007": 7000, "1.000": 1000, "9223372036854": 9_223_372_036_854_000} {
		if got, err := wallet.ParseCredits(s); err != nil || got != want {
			t.Errorf("ParseCredits(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", ".", ".5", "1.", "-1", "+1", "1,5", "1e3", "0x10", " 1", "1 ", "1.2345", "1.2.3", "NaN", "٣", "9223372036855", "99999999999999999999"} {
		if got, err := wallet.ParseCredits(s); err == nil {
			t.Errorf("ParseCredits(%q) = %d, want an error", s, got)
		}
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	one, two := wallet.Grant{WalletID: "a"}, wallet.Grant{WalletID: "b"}
	for _, tt := range []struct {
		name    string
		granted []wallet.Grant
		asked   string
		want    string
		err     error
	}{
		{"no wallet billing", nil, "", "", nil},
		{"the only one", []wallet.Grant{one}, "", "a", nil},
		{"one of several", []wallet.Grant{one, two}, "", "", wallet.ErrRequired},
		{"named among several", []wallet.Grant{one, two}, "b", "b", nil},
		{"named, the only one", []wallet.Grant{one}, "a", "a", nil},
		{"named, not granted", []wallet.Grant{one}, "b", "", wallet.ErrAccessDenied},
		{"named, without billing", nil, "b", "", wallet.ErrAccessDenied},
	} {
		if got, err := wallet.Choose(tt.granted, tt.asked); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %v, want %q, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestGrantCovers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		grant  wallet.Grant
		amount wallet.Credits
		want   bool
	}{
		{wallet.Grant{}, 1_000_000, true},
		{wallet.Grant{Limited: true}, 1, false},
		{wallet.Grant{Limited: true, Limit: 1000, Used: 400}, 600, true},
		{wallet.Grant{Limited: true, Limit: 1000, Used: 400}, 601, false},
	} {
		if got := tt.grant.Covers(tt.amount); got != tt.want {
			t.Errorf("%+v covers %v: %v, want %v", tt.grant, tt.amount, got, tt.want)
		}
	}
}

func TestEveryReasonKeepsToTheAccounts(t *testing.T) {
	t.Parallel()
	net := map[wallet.AccountRole]int{}
	for _, r := range []wallet.Reason{wallet.Deposit, wallet.Hold, wallet.Release, wallet.Hold, wallet.Settle, wallet.Deposit, wallet.Withdraw} {
		from, to := r.Path()
		if from == to {
			t.Errorf("%s moves from %s to itself", r, from)
		}
		net[from]--
		net[to]++
	}
	want := map[wallet.AccountRole]int{wallet.Funding: -1, wallet.Available: 0, wallet.Held: 0, wallet.Spent: 1}
	for role, n := range want {
		if net[role] != n {
			t.Errorf("a deposit that was spent leaves %d in %s, want %d", net[role], role, n)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown reason has a path")
		}
	}()
	wallet.Reason("gift").Path()
}

func TestParseKind(t *testing.T) {
	t.Parallel()
	for s, good := range map[string]bool{"project": true, "recruitment": true, "": false, "Project": false, "other": false} {
		if k, err := wallet.ParseKind(s); (err == nil) != good || good && string(k) != s {
			t.Errorf("ParseKind(%q) = %q, %v", s, k, err)
		}
	}
}
