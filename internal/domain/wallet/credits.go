package wallet

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Credits is an amount in thousandths of a credit.
type Credits int64

// Credit is one full credit.
const Credit Credits = 1000

// ParseCredits parses a decimal number of at least zero with at most three decimals, such as 12 or 0.125.
func ParseCredits(s string) (Credits, error) {
	integer, fraction, dotted := strings.Cut(s, ".")
	if !digitsOnly(integer) || dotted && !digitsOnly(fraction) {
		return 0, fmt.Errorf("%q is not an amount of credits: write a number such as 250 or 0.5", s)
	}
	if len(fraction) > 3 {
		return 0, fmt.Errorf("%q has more than three decimals", s)
	}
	n, err := strconv.ParseInt(integer, 10, 64)
	if err != nil || n > math.MaxInt64/int64(Credit)/1000 {
		return 0, fmt.Errorf("%q is too large", s)
	}
	milli, _ := strconv.ParseInt((fraction + "000")[:3], 10, 64)
	return Credits(n)*Credit + Credits(milli), nil
}

func digitsOnly(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// String formats the amount as a decimal number without trailing zeros; it is a valid JSON number.
func (c Credits) String() string {
	sign, n := "", uint64(c)
	if c < 0 {
		sign, n = "-", -n
	}
	s := fmt.Sprintf("%s%d.%03d", sign, n/uint64(Credit), n%uint64(Credit))
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// MarshalJSON encodes the amount as a number.
func (c Credits) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }
