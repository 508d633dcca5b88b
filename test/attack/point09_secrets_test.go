package attack

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// secretAttacks look for secrets where none should be found.
var secretAttacks = []attack{
	{point: 9, name: "a stolen backup", mark: "no key of links, no API key, no token", run: func(s *stage) {
		i := s.mustBegin(s.somebody(), s.load.link)
		s.sent.add()
		var stolen []byte
		name := filepath.Join(s.t.TempDir(), "backup")
		if out, err := s.server.try(s.t, "backup", name); err == nil {
			if stolen, err = os.ReadFile(name); err != nil {
				s.t.Fatal(err)
			}
		} else {
			s.fail("backup: %s", out)
		}
		s.note("%d bytes", len(stolen))
		if found := secretIn.Find(stolen); found != nil {
			s.fail("the backup holds a secret in clear: %q…", found[:min(len(found), 24)])
		}
		for what, secret := range map[string]string{"an API key": s.innocent.Key, "a token": i.token} {
			if bytes.Contains(stolen, []byte(secret)) {
				s.fail("the backup holds %s", what)
			}
		}
	}},
	{point: 9, name: "keys that live for ever and may do all", mark: "keys expire, and may be for reading alone", run: func(s *stage) {
		s.sent.add()
		help := string(s.server.printed(s.t, "key", "create", "--help"))
		for what, flag := range map[string]*regexp.Regexp{"expire": regexp.MustCompile(`--[a-z-]*(expir|valid|lifetime|ttl)`), "be for reading alone": regexp.MustCompile(`--[a-z-]*(read|scope)`)} {
			if !flag.MatchString(help) {
				s.fail("no flag of key create lets a key %s", what)
			}
		}
		if out, err := s.server.try(s.t, "secret", "rotate", "--help"); err != nil {
			s.fail("there is no verbatim secret rotate: %.100s", out)
		}
		if !regexp.MustCompile(`_FILE|-file=`).Match(s.server.printed(s.t, "serve", "--help")) {
			s.fail("no secret can come from a file")
		}
	}},
	{point: 9, name: "framing and cross-origin tricks on pages", mark: "security headers on each page", run: func(s *stage) {
		i := s.mustBegin(s.somebody(), s.load.link)
		for _, path := range []string{"/", "/docs/", "/s/" + s.load.link, "/s/nobody", "/i/" + i.token, "/i/nobody", "/docs/nothing-here", "/docs"} {
			s.sent.add()
			r, err := s.somebody().send(s.t.Context(), http.MethodGet, path, nil, "Accept", "text/html")
			if err != nil {
				s.fail("%s: %v", path, err)
				continue
			}
			var missing []string
			for _, name := range []string{"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Permissions-Policy", "X-Content-Type-Options"} {
				if r.header.Get(name) == "" {
					missing = append(missing, name)
				}
			}
			if policy := r.header.Get("Content-Security-Policy"); policy != "" && !strings.Contains(policy, "frame-ancestors") {
				missing = append(missing, "frame-ancestors")
			}
			if len(missing) > 0 {
				s.fail("%s (%d) has no %s", path, r.status, strings.Join(missing, ", "))
			}
		}
	}},
	{point: 9, name: "words in the log by way of an invented method", mark: "not logged", run: func(s *stage) {
		const word = "LEAKEDCANARYWORD"
		for _, path := range []string{"/", "/s/x", "/i/" + word, "/api/public/v1/studies", "/" + word, "/m/" + word} {
			s.sent.add()
			c, err := s.server.dial("127.0.0.83")
			if err != nil {
				s.fail("%v", err)
				continue
			}
			_ = c.SetDeadline(time.Now().Add(5 * time.Second))
			_, _ = fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\nReferer: %s\r\nX-Request-Id: %s\r\nX-Api-Key: %s\r\nConnection: close\r\n\r\n", word, path, word, word, word, word, word)
			_, _ = io.Copy(io.Discard, c) // any answer
			c.Close()
		}
		out := s.server.logged(s.t)
		if at := bytes.Index(out, []byte(word)); at >= 0 {
			s.fail("the log holds what a stranger wrote: …%s…", out[max(0, at-80):min(len(out), at+len(word))])
		}
	}},
	{point: 9, name: "an object store that everybody reaches", mark: "neither compose file nor proxy leads to it", run: func(s *stage) {
		s.sent.add()
		for _, name := range []string{"compose.scale.yaml", "Caddyfile.scale"} {
			file, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
			if err != nil {
				s.t.Fatal(err)
			}
			service := ""
			for line := range strings.Lines(string(file)) {
				if named := regexp.MustCompile(`^  ([a-z0-9_-]+):\s*$`).FindStringSubmatch(line); named != nil {
					service = named[1]
				}
				if service == "objects" && strings.Contains(line, "ports:") || strings.Contains(line, "reverse_proxy objects") {
					s.fail("%s leads everybody to the object store: %s", name, strings.TrimSpace(line))
				}
			}
		}
	}},
}

// secretIn matches what looks like a secret after its name: the database keeps a setting's value after its name.
var secretIn = regexp.MustCompile(`secret[a-z0-9_]{0,12}[A-Z2-7]{40,}`)
