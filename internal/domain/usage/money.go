package usage

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// errMoney is made for operators.
var errMoney = errors.New("it must be a number such as 0.15, with at most six decimals")

// ParseMoney parses an amount in the operator's currency and returns millionths of it.
func ParseMoney(s string) (int64, error) {
	integer, fraction, _ := strings.Cut(s, ".")
	if len(integer) > 9 || len(fraction) > 6 || integer == "" {
		return 0, errMoney
	}
	n, err := strconv.ParseUint(integer+fraction+strings.Repeat("0", 6-len(fraction)), 10, 63)
	if err != nil {
		return 0, errMoney
	}
	return int64(n), nil
}

// Money formats millionths of the operator's currency, with at least two decimals.
func Money(micro int64) string {
	sign := ""
	if micro < 0 {
		sign, micro = "-", -micro
	}
	s := strings.TrimRight(fmt.Sprintf("%06d", micro%1e6), "0")
	return fmt.Sprintf("%s%d.%s", sign, micro/1e6, s+strings.Repeat("0", max(2-len(s), 0)))
}

// ParseCeiling parses tokens=200000, cost=0.50, or both separated by a comma; empty or "none" is no ceiling.
func ParseCeiling(s string) (c Ceiling, err error) {
	if s == "" || s == "none" {
		return c, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		name, value, _ := strings.Cut(part, "=")
		var to *int64
		var n int64
		switch name {
		case "tokens":
			to = &c.Tokens
			n, err = strconv.ParseInt(value, 10, 64)
		case "cost":
			to = &c.MicroCost
			n, err = ParseMoney(value)
		}
		if to == nil || err != nil || n < 1 || *to != 0 {
			return Ceiling{}, fmt.Errorf("%q is no ceiling such as tokens=200000 or cost=0.50 or tokens=200000,cost=0.50", s)
		}
		*to = n
	}
	return c, nil
}
