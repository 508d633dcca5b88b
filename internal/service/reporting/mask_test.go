package reporting

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrivateValues(t *testing.T) {
	t.Parallel()
	got := privateValues(map[string]string{
		"pid": "P-17", "first_name": "Maria", "source": "newsletter", "age": "34", "ref": "ab12cd", "_mail": "maria@example.org", "name": "Li", "wave": "2", "contact": " Jo Hill ",
	})
	slices.Sort(got)
	if diff := cmp.Diff([]string{"Jo Hill", "Maria", "P-17", "ab12cd", "maria@example.org"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text, want string
		known      []string
	}{
		"nothing":          {"Milk at 7.30, for 3,50 in 2024.", "Milk at 7.30, for 3,50 in 2024.", []string{"Maria"}},
		"mail":             {"Write to Anna.B@mail.example.org, please.", "Write to [e-mail 1], please.", nil},
		"twice the same":   {"a@b.example and a@b.example and c@b.example", "[e-mail 1] and [e-mail 1] and [e-mail 2]", nil},
		"pages":            {"See https://me.example/u/17?x=1 or www.me.example.", "See [address 1] or [address 2]", nil},
		"handle":           {"I am @maria_17 there.", "I am [handle 1] there.", nil},
		"telephone":        {"Ring +49 (171) 234-5678 or 0171/2345678.", "Ring [number 1] or [number 2].", nil},
		"digits elsewhere": {"رقمي ٠٥٠١٢٣٤٥٦٧ فقط", "رقمي [number 1] فقط", nil},
		"known":            {"I am maria, Mariana is not; panel P-17!", "I am [private 1], Mariana is not; panel [private 2]!", []string{"Maria", "P-17"}},
		"known in others":  {"瑪麗說，玛丽", "瑪麗說，[private 1]", []string{"玛丽"}},
	} {
		m := mask(tt.text, tt.known)
		if m.text != tt.want {
			t.Errorf("%s: %q, want %q", name, m.text, tt.want)
		}
		if back := m.restore(m.text); back != tt.text {
			t.Errorf("%s: back comes %q", name, back)
		}
	}
	said := OpenAnswer{Texts: []string{"Ask https://a.example/x", "www.b.example says 1234567", "8"}, Private: []string{"says"}}
	texts, _ := said.mask()
	if diff := cmp.Diff([]string{"Ask [address 1]", "[address 2] [private 4] [number 3]", "8"}, texts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
