package attack

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"verbatim/internal/domain/interview" // for the length of the longest answer
)

// jsonAttacks send request bodies that cost more than they weigh, as a stranger without a link, a participant, or a tenant with a key.
var jsonAttacks = []attack{
	{point: 1, name: "[0,0,… to a link that is not there", mark: "under 256 MiB, refused", peak: jsonMark, run: func(s *stage) {
		s.bodies("/s/no-such-link/interviews", bodyLength, "[", "0,", "0]")
	}},
	{point: 1, name: "[0,0,… to a live link", mark: "under 256 MiB, refused", peak: jsonMark, run: func(s *stage) {
		s.bodies("/s/"+s.load.link+"/interviews", bodyLength, "[", "0,", "0]")
	}},
	{point: 1, name: "[0,0,… as an answer", mark: "under 256 MiB, refused", peak: jsonMark, run: func(s *stage) {
		i := s.mustBegin(s.somebody(), s.load.link)
		s.bodies("/i/"+i.token+"/answers", bodyLength, `{"stepId":"`+i.step.StepID+`","selected":[`, "0,", "0]}")
		s.bodies("/i/"+i.token+"/answers", 250<<10, `{"stepId":"`+i.step.StepID+`","selected":[`, "0,", "0]}")
		s.bodies("/i/no-such-token/answers", bodyLength, "[", "0,", "0]")
	}},
	{point: 1, name: "many keys, equal keys, empty objects", mark: "under 256 MiB, refused", peak: jsonMark, run: func(s *stage) {
		link := "/s/" + s.load.link + "/interviews"
		for _, size := range []int64{bodyLength, 250 << 10} {
			s.bodies(link, size, `{"a":0`, `,"a":0`, `}`)
			s.bodies(link, size, `[`, `{},`, `{}]`)
			s.bodies(link, size, `{"x":[`, `"",`, `""]}`)
			s.bodies(link, size, `[`, `[],`, `[]]`)
		}
		s.flood(pick(64, 400), 16, func(i int) (reply, error) { return s.stranger().send(s.t.Context(), "POST", link, manyKeys(250<<10)) })
	}},
	{point: 1, name: "deep nesting", mark: "under 256 MiB, refused", peak: jsonMark, run: func(s *stage) {
		link := "/s/" + s.load.link + "/interviews"
		for _, size := range []int64{bodyLength, 250 << 10} {
			s.bodies(link, size, "[", "[", "]")
			s.bodies(link, size, `{"a":`, `{"a":`, "0")
		}
	}},
	{point: 1, name: "huge numbers and long escapes", mark: "under 256 MiB, refused", peak: jsonMark, run: func(s *stage) {
		i := s.mustBegin(s.somebody(), s.load.link)
		to := "/i/" + i.token + "/answers"
		for _, number := range []string{"1e999999999", "-1e-999999999", "1" + strings.Repeat("0", 200_000), "0." + strings.Repeat("3", 200_000)} {
			body := `{"stepId":"` + i.step.StepID + `","telemetry":{"typed":` + number + `}}`
			s.flood(pick(8, 32), 8, func(int) (reply, error) { return s.stranger().send(s.t.Context(), "POST", to, body) })
		}
		s.bodies(to, 250<<10, `{"stepId":"`, `\u0000`, `"}`)
	}},
	{point: 1, name: "a tenant's create and launch", mark: "under 256 MiB, refused", peak: jsonMark, run: func(s *stage) {
		for _, path := range []string{"/api/public/v1/studies/create", "/api/public/v1/studies/" + zeroID + "/launch"} {
			for _, text := range []string{"0,", "{},", `{"type":"flat","title":"","items":[]},`} {
				s.bodies(path, bodyLength, `{"title":"x","studyGuide":[`, text, "0]}", "X-Api-Key", s.hostile.Key)
			}
			s.bodies(path, bodyLength, "[", "[", "]", "X-Api-Key", s.hostile.Key)
		}
	}},
	{point: 1, name: "create without a key", mark: "under 256 MiB, 401", peak: jsonMark, run: func(s *stage) {
		seen := s.bodies("/api/public/v1/studies/create", bodyLength, "[", "0,", "0]")
		if other := s.sent.value() - int64(seen.count(0, 401, 429)); other > 0 {
			s.fail("%d answers without a key are not 401: %s", other, seen)
		}
	}},
	{point: 1, name: "forms of many fields and parts", mark: "under 256 MiB, refused", peak: jsonMark, run: func(s *stage) {
		i := s.mustBegin(s.somebody(), s.load.link)
		for _, path := range []string{"/s/" + s.load.link + "/interviews", "/i/" + i.token + "/answers"} {
			s.bodies(path, bodyLength, "stepId="+i.step.StepID, "&a", "&", "Content-Type", "application/x-www-form-urlencoded")
			s.bodies(path, 250<<10, "stepId="+i.step.StepID, "&a", "&", "Content-Type", "application/x-www-form-urlencoded")
			part := "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n"
			s.bodies(path, bodyLength, part, part, "--x--", "Content-Type", "multipart/form-data; boundary=x")
		}
	}},
	{point: 1, name: "packed bodies", mark: "under 256 MiB, refused", peak: jsonMark, run: func(s *stage) {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		for range 64 {
			_, _ = z.Write(bytes.Repeat([]byte("[0,"), mib/3))
		}
		_ = z.Close()
		i := s.mustBegin(s.somebody(), s.load.link)
		for _, path := range []string{"/s/" + s.load.link + "/interviews", "/i/" + i.token + "/answers", "/api/public/v1/studies/create"} {
			seen := s.flood(pick(16, 64), 16, func(int) (reply, error) {
				return s.stranger().send(s.t.Context(), "POST", path, packed.Bytes(), "Content-Encoding", "gzip", "Content-Type", "application/json", "X-Api-Key", s.hostile.Key)
			})
			if taken := seen.count(200, 201); taken > 0 {
				s.fail("%d compressed bodies were accepted at %s", taken, path)
			}
		}
	}},
	{point: 1, name: "a body without an end", mark: "cut off after 1 MiB at a participant's address", peak: jsonMark, run: func(s *stage) {
		for _, path := range []string{"/s/no-such-link/interviews", "/s/" + s.load.link + "/interviews", "/i/no-such-token/answers", "/s/x", "/nowhere"} {
			s.sent.add()
			body := &repeat{head: "[", text: "0,", length: 64 * mib}
			ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
			_, _ = s.stranger().send(ctx, "POST", path, body, "Content-Type", "application/json") // it may be cut off in the middle
			cancel()
			// The bytes in the kernel's buffers of both sides count as sent, too.
			if sent := body.sent(); sent > 12*mib {
				s.fail("%d MiB went to %s before the server cut it off", sent/mib, path)
			}
		}
	}},
	{point: 1, name: "control: the longest answer in any script", mark: "taken", peak: jsonMark, run: func(s *stage) {
		for _, letter := range []string{"a", "ж", "語", "😀"} {
			p := s.somebody()
			i := s.mustBegin(p, s.load.link)
			var escaped strings.Builder
			for _, unit := range utf16Of(letter) {
				fmt.Fprintf(&escaped, `\u%04x`, unit)
			}
			for _, text := range []string{strings.Repeat(letter, interview.MaxText), strings.Repeat(escaped.String(), interview.MaxText)} {
				s.sent.add()
				body := `{"stepId":"` + i.step.StepID + `","text":"` + text + `"}`
				r, err := p.send(s.t.Context(), "POST", "/i/"+i.token+"/answers", body, "Content-Type", "application/json")
				if err != nil || r.status != http.StatusOK {
					s.fail("%d times %s in %d bytes is answered %d %.200s, %v", interview.MaxText, letter, len(body), r.status, r.body, err)
				}
			}
		}
	}},
}

const (
	bodyLength = 4 * mib
	zeroID     = "00000000-0000-7000-8000-000000000000"
)

// bodies sends bodies of a length that repeat a text between a head and a tail, sixteen at once, and fails if one is accepted.
func (s *stage) bodies(path string, length int64, head, text, tail string, header ...string) *statuses {
	seen := s.flood(pick(32, 128), pick(16, 64), func(int) (reply, error) {
		body := &repeat{head: head, text: text, tail: tail, length: length}
		all := append([]string{"Content-Type", "application/json", "Content-Length", fmt.Sprint(length)}, header...)
		return s.stranger().send(s.t.Context(), http.MethodPost, path, body, all...)
	})
	if taken := seen.count(200, 201, 202, 204); taken > 0 {
		s.fail("%d bodies of %q… were accepted at %s", taken, head+text, path)
	}
	return seen
}

// stranger returns a person with a new address each time, so that a limit by address cannot be what helps.
func (s *stage) stranger() *person {
	return &person{server: s.server, client: strangers, forwarded: s.address()}
}

var strangers = client("127.0.0.1", 60*time.Second)

func manyKeys(length int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; b.Len() < length; i++ {
		fmt.Fprintf(&b, `"%x":0,`, i)
	}
	b.WriteString(`"z":0}`)
	return b.String()
}
