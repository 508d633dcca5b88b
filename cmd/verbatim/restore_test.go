package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store/storetest/pgtest"
)

// TestRestoreDrill backs up an installation, deletes a response and withdraws another, loses the database, and restores the backup, on
// each engine and from each to the other. What was deleted must stay deleted, the rest must be unchanged, and doctor must report errors
// until the deletions are repeated.
func TestRestoreDrill(t *testing.T) {
	t.Parallel()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	keys := writeSecret(t, "# created for this test\n"+identity.String()+"\n")
	makers, server := engines(t)
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			in := install(t, makers[engine](t))
			var token string
			in.serve(t, func(base string) {
				_, body := send(t, http.MethodPost, base+"/s/"+in.link+"/interviews")
				var begun struct{ Token string }
				if err := json.Unmarshal([]byte(body), &begun); err != nil || begun.Token == "" {
					t.Fatalf("beginning: %s", body)
				}
				token = begun.Token
			})
			dir := t.TempDir()
			sealed, plain := filepath.Join(dir, "sealed"), filepath.Join(dir, "plain")
			if printed := object(t, append([]string{"backup", sealed, "--recipient", identity.Recipient().String()}, in.flags()...)...); printed["encryptedFor"] != "1 key" {
				t.Errorf("backup printed %v", printed)
			}
			object(t, append([]string{"backup", plain}, in.flags()...)...)
			dump := filepath.Join(t.TempDir(), "dump")
			if engine == "postgres" {
				tool(t, server, "pg_dump", "--format=custom", "--file="+dump, "--dbname="+in.database)
				if _, stderr := command(t, exitRefused, append([]string{"restore", dump}, in.at(makers[engine](t)).flags()...)...); !strings.Contains(stderr, "--tombstones-only") {
					t.Errorf("of a dump stderr is %q", stderr)
				}
			}
			if body, err := os.ReadFile(sealed); err != nil || bytes.Contains(body, []byte(in.link)) || bytes.Contains(body, []byte("SQLite")) {
				t.Errorf("%v: the encrypted backup can be read", err)
			}
			if files, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) != 2 {
				t.Errorf("the backups left %v, %v", files, err)
			}

			// After the backup.
			before, doomed := in.answers(t), in.responses(t)[0]
			gone := map[string]string{doomed.ID: ""}
			in.serve(t, func(base string) {
				address := base + "/api/public/v1/responses?studyId=" + in.study + "&responseId=" + doomed.ID
				var receipt struct{ DeletionID, Status string }
				until(t, "the deletion is completed", func() bool {
					_, body := send(t, http.MethodDelete, address, "X-Api-Key", in.key)
					if err := json.Unmarshal([]byte(body), &receipt); err != nil || receipt.DeletionID == "" {
						t.Fatalf("deleting: %s", body)
					}
					return receipt.Status == string(response.DeletionCompleted)
				})
				gone[doomed.ID] = receipt.DeletionID
				if status, body := send(t, http.MethodPost, base+"/i/"+token+"/withdraw"); status != http.StatusNoContent {
					t.Fatalf("withdrawing: %d %s", status, body)
				}
				until(t, "both have their tombstones", func() bool { return len(blobtest.List(t, blobtest.Open(t, in.blobs), response.Tombstones)) == 2 })
			})
			if wrong := in.wrong(t); len(wrong) > 0 {
				t.Fatalf("before the loss: %v", wrong)
			}

			check := func(t *testing.T, in installation) {
				t.Helper()
				if wrong := in.wrong(t); len(wrong) > 0 {
					t.Errorf("doctor: %v", wrong)
				}
				in.serve(t, func(base string) {
					for _, path := range []string{fmt.Sprintf("/api/public/v1/responses/%s/%d", in.link, doomed.ReadableID), "/api/public/responses/" + in.link + "/" + doomed.ID} {
						if status, body := get(t, base+path, "X-Api-Key", in.key); status != http.StatusNotFound {
							t.Errorf("what was deleted is there again: %s: %d %s", path, status, body)
						}
					}
					if status, body := get(t, base+"/i/"+token, "Accept", "application/json"); status != http.StatusGone {
						t.Errorf("the withdrawn interview: %d %s", status, body)
					}
					if status, body := get(t, base+"/api/public/v1/response-deletions/"+gone[doomed.ID], "X-Api-Key", in.key); status != http.StatusOK || !strings.Contains(body, `"status":"completed"`) {
						t.Errorf("the receipt: %d %s", status, body)
					}
				})
				for path, body := range in.answers(t) {
					if _, single, _ := strings.Cut(path, in.link+"/"); single != "" && !strings.Contains(single, "?") && body != before[path] {
						t.Errorf("%s was\n%s\nand is\n%s", path, before[path], body)
					}
				}
			}
			// A copy of the objects made before the deletion brings them back, too.
			blobtest.Put(t, blobtest.Open(t, in.blobs), response.Objects+doomed.ID+"/recordings/a/b.webm", "recorded")
			for to, address := range makers {
				t.Run("restore to "+to, func(t *testing.T) {
					target := in.at(address(t))
					_, stderr := command(t, exitUsage, append([]string{"restore", sealed}, target.flags()...)...)
					if !strings.Contains(stderr, "--identity-file") {
						t.Errorf("without the key stderr is %q", stderr)
					}
					printed := object(t, append([]string{"restore", sealed, "--identity-file", keys}, target.flags()...)...)
					if printed["deletedAgain"] != 2.0 || printed["tombstones"] != 2.0 {
						t.Errorf("printed %v", printed)
					}
					check(t, target)
					if _, stderr := command(t, exitRefused, append([]string{"restore", plain}, target.flags()...)...); !strings.Contains(stderr, "exists already") && !strings.Contains(stderr, "not empty") {
						t.Errorf("over what is there stderr is %q", stderr)
					}
				})
			}
			// Restore with other tools than verbatim restore.
			byHand := func(t *testing.T) installation {
				t.Helper()
				target := in.at(makers[engine](t))
				if file, ok := strings.CutPrefix(target.database, "sqlite:"); ok {
					body, err := os.ReadFile(plain)
					if err == nil {
						err = os.WriteFile(file, body, 0o600)
					}
					if err != nil {
						t.Fatal(err)
					}
					return target
				}
				tool(t, server, "pg_restore", "--no-owner", "--exit-on-error", "--dbname="+target.database, dump)
				return target
			}
			t.Run("start on a copy", func(t *testing.T) {
				target := byHand(t)
				wrong := target.wrong(t)
				if !slices.ContainsFunc(wrong, func(s string) bool { return strings.HasPrefix(s, "tombstones: 2 deletion(s)") }) {
					t.Errorf("doctor calls it clean, or nearly: %v", wrong)
				}
				if log := target.serve(t, func(base string) {
					if status, body := get(t, base+"/api/public/v1/responses/"+target.link+"/"+fmt.Sprint(doomed.ReadableID), "X-Api-Key", target.key); status != http.StatusNotFound {
						t.Errorf("the first request after the start gets what was deleted: %d %s", status, body)
					}
					until(t, "the deletions are carried out", func() bool {
						status, body := get(t, base+"/api/public/v1/response-deletions/"+gone[doomed.ID], "X-Api-Key", target.key)
						return status == http.StatusOK && strings.Contains(body, `"status":"completed"`)
					})
					until(t, "the withdrawal as well", func() bool { return len(target.wrong(t)) == 0 })
				}); !strings.Contains(log, "restored from a backup") {
					t.Errorf("the log does not say so: %s", log)
				}
				check(t, target)
			})
			t.Run("tombstones only", func(t *testing.T) {
				target := byHand(t)
				if printed := object(t, append([]string{"restore", "--tombstones-only"}, target.flags()...)...); printed["deletedAgain"] != 2.0 {
					t.Errorf("printed %v", printed)
				}
				check(t, target)
			})
		})
	}
}

// tool runs one of PostgreSQL's own programs.
func tool(t *testing.T, server *pgtest.Server, program string, args ...string) {
	t.Helper()
	if out, err := server.Run(t.Context(), program, args...); err != nil {
		t.Fatalf("%s: %v: %s", program, err, out)
	}
}

// until waits up to a minute until a server has done something.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for started := time.Now(); !done(); {
		if time.Since(started) > time.Minute {
			t.Fatalf("waited a minute until %s", what)
		}
	}
}
