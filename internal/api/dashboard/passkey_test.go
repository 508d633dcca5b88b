package dashboard_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/org"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

const passkeysPath = "/api/dashboard/session/passkeys"

// authenticator is a device that makes and uses one passkey.
type authenticator struct {
	t        *testing.T
	key      *ecdsa.PrivateKey
	id       []byte
	user     string
	counter  uint32 // of the next use; 0 and not counting: a synced passkey
	counting bool
	flags    byte   // besides presence
	origin   string // of the page that asks
	host     string // that the passkey is bound to
}

const (
	present  = 1
	verified = 4
	attested = 64
)

func newAuthenticator(t *testing.T) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	return &authenticator{t: t, key: key, id: id, flags: verified, origin: servertest.BaseURL, host: "interviews.example.com"}
}

var b64 = base64.RawURLEncoding.EncodeToString

// challenge holds the question of the server.
type challenge struct {
	Handle  string
	Options struct {
		PublicKey struct {
			Challenge string
			User      struct{ ID string }
		}
	}
}

func (a *authenticator) clientData(kind string, c challenge) []byte {
	return fmt.Appendf(nil, `{"type":%q,"challenge":%q,"origin":%q,"crossOrigin":false}`, kind, c.Options.PublicKey.Challenge, a.origin)
}

func (a *authenticator) data(flags byte, more []byte) []byte {
	hash := sha256.Sum256([]byte(a.host))
	data := append(hash[:], present|a.flags|flags)
	return append(binary.BigEndian.AppendUint32(data, a.counter), more...)
}

func text(v any) string {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// create answers a challenge of startPasskey; the result is a part of a body.
func (a *authenticator) create(c challenge) string {
	a.user = c.Options.PublicKey.User.ID
	public, err := a.key.PublicKey.Bytes()
	if err != nil {
		a.t.Fatal(err)
	}
	cose := append([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, public[1:33]...)
	cose = append(append(cose, 0x22, 0x58, 32), public[33:]...)
	credential := append(make([]byte, 16), 0, byte(len(a.id)))
	data := a.data(attested, append(append(credential, a.id...), cose...))
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), byte(len(data)))
	return a.answer(c, map[string]string{"clientDataJSON": b64(a.clientData("webauthn.create", c)), "attestationObject": b64(append(object, data...))})
}

// get answers a challenge of askPasskey.
func (a *authenticator) get(c challenge) string {
	if a.counting {
		a.counter++
	}
	client, data := a.clientData("webauthn.get", c), a.data(0, nil)
	clientHash := sha256.Sum256(client)
	digest := sha256.Sum256(append(data[:len(data):len(data)], clientHash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(c, map[string]string{"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature), "userHandle": a.user})
}

func (a *authenticator) answer(c challenge, response map[string]string) string {
	passkey := text(map[string]any{"id": b64(a.id), "rawId": b64(a.id), "type": "public-key", "clientExtensionResults": struct{}{}, "response": response})
	return `"handle":` + text(c.Handle) + `,"passkey":` + text(passkey)
}

func (b *browser) challenge(path string) challenge {
	b.f.t.Helper()
	return servertest.Decode[challenge](b.f.t, b.do("POST", path, "").Want(b.f.t, 200, ""))
}

// ask returns a challenge for somebody who is not signed in.
func (f *fixture) ask() challenge {
	f.t.Helper()
	return (&browser{f: f}).challenge("/api/dashboard/passkeys/challenge")
}

// withPasskey registers a passkey and returns its id.
func (b *browser) withPasskey(a *authenticator) string {
	b.f.t.Helper()
	made := b.do("POST", passkeysPath, `{`+a.create(b.challenge(passkeysPath+"/challenge"))+`,"name":"Laptop"}`).Want(b.f.t, 201, "")
	return field(b.f.t, made, "id")
}

// passkey stores a passkey of a user that nobody has, and returns its id.
func (f *fixture) passkey(userID string) (id string) {
	f.t.Helper()
	storetest.Write(f.t, f.Store, func(tx *store.Tx) error {
		made, err := tx.AddPasskey(f.t.Context(), org.Passkey{UserID: userID, CredentialID: store.NewID(), Name: "x", Data: "{}"})
		id = made.ID
		return err
	})
	return id
}

func (f *fixture) signInBy(passkey string) servertest.Answer {
	f.t.Helper()
	return (&browser{f: f}).do("POST", "/api/dashboard/passkeys/sign-in", `{`+passkey+`}`)
}

// TestPasskeys is a table of what somebody does who has a passkey, and of what thieves try.
func TestPasskeys(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]func(*testing.T, *fixture, *storetest.Clock){
		"a passkey signs in, with a counter and without": func(t *testing.T, f *fixture, _ *storetest.Clock) {
			for _, counting := range []bool{false, true} {
				b, a := f.as(f.Admin), newAuthenticator(t)
				a.counting = counting
				id := b.withPasskey(a)
				for range 2 {
					f.signInBy(a.get(f.ask())).Want(t, 200, "")
				}
				b.do("PATCH", passkeysPath+"/"+id, `{"name":"Old laptop"}`).Want(t, 204, "")
				b.do("PATCH", passkeysPath+"/"+id, `{}`).Want(t, 400, "invalid_request_body")
				b.do("PATCH", passkeysPath+"/"+f.Org.ID, `{"name":"x"}`).Want(t, 404, "not_found")
				if got := field(t, b.get(passkeysPath).Want(t, 200, ""), "passkeys", 0, "name"); got != "Old laptop" {
					t.Errorf("it is called %s", got)
				}
				b.do("DELETE", passkeysPath+"/"+id, "").Want(t, 204, "")
				b.do("DELETE", passkeysPath+"/"+id, "").Want(t, 404, "not_found")
				f.signInBy(a.get(f.ask())).Want(t, 403, "passkey_refused")
			}
		},
		"replay: a challenge is answered once, in time, and not twice at the same time": func(t *testing.T, f *fixture, clock *storetest.Clock) {
			b, a := f.as(f.Admin), newAuthenticator(t)
			started := b.challenge(passkeysPath + "/challenge")
			made := `{` + a.create(started) + `,"name":"Laptop"}`
			b.do("POST", passkeysPath, made).Want(t, 201, "")
			b.do("POST", passkeysPath, made).Want(t, 403, "passkey_refused")
			b.do("POST", passkeysPath, `{`+a.create(b.challenge(passkeysPath+"/challenge"))+`,"name":"Again"}`).Want(t, 409, "passkey_known")
			given := a.get(f.ask())
			f.signInBy(given).Want(t, 200, "")
			f.signInBy(given).Want(t, 403, "passkey_refused")
			late := a.get(f.ask())
			clock.Advance(5*time.Minute + time.Second)
			f.signInBy(late).Want(t, 403, "passkey_refused")
		},
		"phishing: an answer for another page or another challenge is refused": func(t *testing.T, f *fixture, _ *storetest.Clock) {
			b, a := f.as(f.Admin), newAuthenticator(t)
			b.withPasskey(a)
			a.origin = "https://interviews.example.com.evil.example"
			f.signInBy(a.get(f.ask())).Want(t, 403, "passkey_refused")
			a.origin, a.host = servertest.BaseURL, "evil.example"
			f.signInBy(a.get(f.ask())).Want(t, 403, "passkey_refused")
			a.host = "interviews.example.com"
			asked, other := f.ask(), f.ask()
			asked.Handle = other.Handle
			f.signInBy(a.get(asked)).Want(t, 403, "passkey_refused")
			registration := b.challenge(passkeysPath + "/challenge")
			f.signInBy(a.get(registration)).Want(t, 403, "passkey_refused")
			f.signInBy(`"handle":"x","passkey":"{}"`).Want(t, 403, "passkey_refused")
			f.signInBy(`"handle":"x"`).Want(t, 400, "invalid_request_body")
		},
		"a copy: a counter that goes back is refused": func(t *testing.T, f *fixture, _ *storetest.Clock) {
			b, a := f.as(f.Admin), newAuthenticator(t)
			a.counting, a.counter = true, 10
			b.withPasskey(a)
			f.signInBy(a.get(f.ask())).Want(t, 200, "")
			a.counter = 5
			f.signInBy(a.get(f.ask())).Want(t, 403, "passkey_refused")
		},
		"somebody else's challenge makes no passkey": func(t *testing.T, f *fixture, _ *storetest.Clock) {
			b, _ := f.member(org.Member)
			a := newAuthenticator(t)
			b.do("POST", passkeysPath, `{`+a.create(f.as(f.Admin).challenge(passkeysPath+"/challenge"))+`,"name":"x"}`).Want(t, 403, "passkey_refused")
			b.do("POST", passkeysPath, `{"name":"x"}`).Want(t, 400, "invalid_request_body")
			b.do("DELETE", passkeysPath+"/"+f.passkey(f.Admin.ID), "").Want(t, 404, "not_found")
		},
		"two steps: a passkey that knows its user needs no code, another one does": func(t *testing.T, f *fixture, _ *storetest.Clock) {
			b, app, _ := f.withTwoStep(f.Admin)
			a := newAuthenticator(t)
			b.withPasskey(a)
			f.signInBy(a.get(f.ask())).Want(t, 200, "")
			a.flags = 0
			given := a.get(f.ask())
			f.signInBy(given).Want(t, 403, "code_needed")
			f.signInBy(given+`,"code":"none"`).Want(t, 403, "code_wrong")
			f.signInBy(given+`,"code":"`+app.code(0)+`"`).Want(t, 200, "")
		},
		"a passkey stands in for the code, and another person's does not": func(t *testing.T, f *fixture, _ *storetest.Clock) {
			b, _, _ := f.withTwoStep(f.Admin)
			a, other := newAuthenticator(t), newAuthenticator(t)
			b.withPasskey(a)
			stranger, user := f.member(org.Member)
			stranger.withPasskey(other)
			path, body := "/api/dashboard/session", `{"email":"`+f.Admin.Email+`","password":"`+password+`",`
			(&browser{f: f}).do("POST", path, body+other.get(f.ask())+`}`).Want(t, 403, "passkey_refused")
			given := a.get(f.ask())
			(&browser{f: f}).do("POST", path, body+given+`}`).Want(t, 200, "")
			(&browser{f: f}).do("POST", path, body+given+`}`).Want(t, 403, "passkey_refused")
			link, err := f.SignIn.OperatorLink(t.Context(), org.ResetToken, f.Admin.ID)
			if err != nil {
				t.Fatal(err)
			}
			(&browser{f: f}).do("POST", "/api/dashboard/tokens/reset", `{"token":"`+tokenOf(link.Address)+`","password":"`+another+`",`+other.get(f.ask())+`}`).Want(t, 403, "passkey_refused")
			scene := storetest.NewScene(t, f.Store)
			invited := field(t, f.as(scene.User).do("POST", "/api/dashboard/organizations/"+scene.Org.ID+"/invitations", `{"email":"`+f.Admin.Email+`","role":"member"}`).Want(t, 201, ""), "link")
			(&browser{f: f}).do("POST", "/api/dashboard/tokens/invitation", `{"token":"`+tokenOf(invited)+`","name":"A","password":"`+password+`",`+other.get(f.ask())+`}`).Want(t, 403, "passkey_refused")
			_ = user
		},
		"twenty are enough": func(t *testing.T, f *fixture, _ *storetest.Clock) {
			b, a := f.as(f.Admin), newAuthenticator(t)
			started := b.challenge(passkeysPath + "/challenge")
			for range org.MaxPasskeys {
				f.passkey(f.Admin.ID)
			}
			b.do("POST", passkeysPath, `{`+a.create(started)+`,"name":"x"}`).Want(t, 409, "too_many_passkeys")
			b.do("POST", passkeysPath+"/challenge", "").Want(t, 409, "too_many_passkeys")
		},
		"no passkeys for IP addresses, for http and for odd names": func(t *testing.T, f *fixture, _ *storetest.Clock) {
			b := f.as(f.Admin)
			for base, problem := range map[string]string{
				"https://192.0.2.7": "ip_address", "http://127.0.0.1:8080": "ip_address", "https://[2001:db8::7]": "ip_address", "http://verbatim.lan": "insecure",
				"http://localhost:8080": "<nil>", "https://verbatim.lan/x": "<nil>",
			} {
				f.SignIn.BaseURL = base
				if got := field(t, b.get(passkeysPath).Want(t, 200, ""), "problem"); got != problem {
					t.Errorf("%s: %s", base, got)
				}
			}
			f.SignIn.BaseURL = "https://192.0.2.7"
			b.do("POST", passkeysPath+"/challenge", "").Want(t, 409, "passkeys_off")
			b.do("POST", passkeysPath, `{"handle":"x","passkey":"x","name":"x"}`).Want(t, 409, "passkeys_off")
			b.do("POST", "/api/dashboard/passkeys/challenge", "").Want(t, 409, "passkeys_off")
			b.do("POST", "/api/dashboard/session/confirmation", `{"handle":"x","passkey":"x"}`).Want(t, 409, "passkeys_off")
			f.signInBy(`"handle":"x","passkey":"x"`).Want(t, 409, "passkeys_off")
			if got := field(t, (&browser{f: f}).get("/api/dashboard/sign-in").Want(t, 200, ""), "passkeys"); got != "false" {
				t.Errorf("the page offers them: %s", got)
			}
		},
		"an admin and the operator revoke the passkeys of somebody who lost them": func(t *testing.T, f *fixture, _ *storetest.Clock) {
			b, user := f.member(org.Member)
			a := newAuthenticator(t)
			b.withPasskey(a)
			f.as(f.Admin).do("DELETE", "/api/dashboard/organizations/"+f.Org.ID+"/people/"+user.ID+"/two-step", "").Want(t, 204, "")
			f.signInBy(a.get(f.ask())).Want(t, 403, "passkey_refused")
			b.get("/api/dashboard/session").Want(t, 401, "sign_in_needed")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := storetest.NewClock()
			try(t, setupWith(t, servertest.NewWithStore(t, storetest.NewAt(t, clock))), clock)
		})
	}
}
