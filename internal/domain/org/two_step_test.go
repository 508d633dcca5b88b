package org_test

import (
	"net/url"
	"testing"
	"time"

	"verbatim/internal/domain/org"
)

// TestTwoStepCodes checks codes against the values of RFC 6238, appendix B, whose secret is the text below (its codes have eight digits; ours
// are their last six).
func TestTwoStepCodes(t *testing.T) {
	t.Parallel()
	secret, address, err := org.NewTwoStepSecret([20]byte([]byte("12345678901234567890")), "ada+1@example.org")
	if err != nil {
		t.Fatal(err)
	}
	if u, err := url.Parse(address); err != nil || u.Scheme != "otpauth" || u.Host != "totp" || u.Path != "/Verbatim:ada+1@example.org" || u.Query().Get("secret") != secret || u.Query().Get("issuer") != "Verbatim" {
		t.Errorf("the app is told %s (%v)", address, err)
	}
	step := org.TwoStep{Secret: secret}
	for at, code := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		now := time.Unix(at, 0)
		for _, given := range []string{code, code[:3] + " " + code[3:], " " + code + " "} {
			if period, ok := step.Period(given, now); !ok || period != at/30 {
				t.Errorf("%q at %d: period %d, %v", given, at, period, ok)
			}
		}
		for name, refused := range map[string]func() bool{
			"twice": func() bool {
				_, ok := (org.TwoStep{Secret: secret, LastPeriod: at / 30}).Period(code, now)
				return !ok
			},
			"a minute later": func() bool { _, ok := step.Period(code, now.Add(time.Minute)); return !ok },
			"a minute early": func() bool { _, ok := step.Period(code, now.Add(-time.Minute)); return !ok || at < 60 },
			"another":        func() bool { _, ok := step.Period("000000", now); return !ok },
			"empty":          func() bool { _, ok := step.Period("", now); return !ok },
			"of nobody":      func() bool { _, ok := (org.TwoStep{}).Period(code, now); return !ok },
		} {
			if !refused() {
				t.Errorf("the code of %d is accepted: %s", at, name)
			}
		}
		if _, ok := step.Period(code, now.Add(30*time.Second)); !ok {
			t.Errorf("the code of %d is refused in the next period", at)
		}
	}
}

// TestRecoveryCodes checks that a code is known again however it is written.
func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	code := org.FormatRecoveryCode([10]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	if code != "AEBA-GBAF-AYDQ-QCIK" {
		t.Errorf("the code is %s", code)
	}
	for _, given := range []string{code, "aeba gbaf aydq qcik", "AEBAGBAFAYDQQCIK"} {
		if org.HashRecoveryCode(given) != org.HashRecoveryCode(code) {
			t.Errorf("%q is another code", given)
		}
	}
	if org.HashRecoveryCode("AEBA-GBAF-AYDQ-QCIL") == org.HashRecoveryCode(code) {
		t.Error("two codes are the same")
	}
}
