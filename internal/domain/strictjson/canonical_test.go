package strictjson_test

import (
	"testing"

	"verbatim/internal/domain/strictjson"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	canonical := func(body string) string {
		v, err := strictjson.Parse([]byte(body))
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		return string(strictjson.Canonical(v))
	}
	for _, same := range [][]string{
		{`{"a":1,"b":[true,null,"x"]}`, " {\n\t\"b\": [ true , null, \"\\u0078\" ],\r\n \"a\" : 1.0 } "},
		{`{}`, `{ }`},
		{`10`, `1e1`, `10.0`, `1.0E+1`, `100e-1`, `0.1e2`},
		{`0`, `-0`, `0.0`, `0e5`},
		{`-1.50`, `-15e-1`},
		{`"é/"`, `"\u00e9\/"`},
		{`1e99999999999999999999`, `1e99999999999999999999`},
	} {
		for _, other := range same[1:] {
			if got, want := canonical(other), canonical(same[0]); got != want {
				t.Errorf("%s is %s, and %s is %s", same[0], want, other, got)
			}
		}
	}
	different := map[string]string{}
	for _, body := range []string{
		`null`, `"null"`, `true`, `"true"`, `1`, `"1"`, `-1`, `10`, `0.1`, `1e-1000000000`, `0`, `[]`, `{}`, `[[]]`, `[1,2]`, `[2,1]`, `[12]`, `["1,2"]`,
		`{"a":1,"b":2}`, `{"a":2,"b":1}`, `{"a":{"b":1}}`, `{"a":"\",\"b\":\""}`, `"é"`, `"e"`, `9007199254740993`, `9007199254740992`,
	} {
		form := canonical(body)
		if other, seen := different[form]; seen {
			t.Errorf("%s and %s are both %s", body, other, form)
		}
		different[form] = body
	}
}
