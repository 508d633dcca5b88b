package blob

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"path"
	"strconv"
	"time"

	"verbatim/internal/domain/signing"
)

// Lifetime is the minimum time for which the links in an API response stay valid; LinkStep is the maximum by which they last
// longer. A link expires at a multiple of LinkStep, so that a link made again shortly after is the same, and a response with
// links keeps its ETag.
const (
	Lifetime = time.Hour
	LinkStep = 15 * time.Minute
)

// Errors of a link.
var (
	ErrForged  = errors.New("the link was not made by this service")
	ErrExpired = errors.New("the link has expired")
)

// Links makes and checks the URLs under which package media serves objects without a key:
//
//	{base}/m/{expiry}/{signature}/{name}
//
// expiry is in seconds since 1970, a multiple of LinkStep. The signature is made by package signing over the expiry and the
// object's name or, so that the relative names in a playlist are covered too, the name of its folder.
type Links struct {
	Base string              // the public URL of the service, without a trailing slash
	Keys func() signing.Ring // the same on every node
	Now  func() time.Time
}

// maxAhead limits the time until a link expires: no link is made that lasts longer, so a longer one was made with a
// stolen secret.
const maxAhead = Lifetime + LinkStep + clockSlack

// clockSlack is the maximum difference between the clocks of nodes.
const clockSlack = 5 * time.Minute

// Object returns a link to one object.
func (l Links) Object(name string, lifetime time.Duration) string {
	return l.link("object", name, name, lifetime)
}

// Folder returns a link to an object that also gives access to the other objects in its folder if its last path segment is
// replaced; not to those in folders below.
func (l Links) Folder(name string, lifetime time.Duration) string {
	return l.link("folder", path.Dir(name), name, lifetime)
}

func (l Links) link(kind, signed, name string, lifetime time.Duration) string {
	ends := l.Now().Add(lifetime)
	if rounded := ends.Truncate(LinkStep); rounded.Before(ends) {
		ends = rounded.Add(LinkStep)
	}
	expiry := strconv.FormatInt(ends.Unix(), 10)
	return l.Base + "/m/" + expiry + "/" + l.sign(kind, expiry, signed) + "/" + name
}

// Check checks the parts of a link. It fails with ErrForged or ErrExpired.
func (l Links) Check(expiry, signature, name string) error {
	now := l.Now()
	if CheckName(name) != nil || !l.signed(expiry, signature, name, now) {
		return ErrForged
	}
	seconds, err := strconv.ParseInt(expiry, 10, 64)
	until := time.Unix(seconds, 0)
	switch {
	case err != nil || !now.Before(until):
		return ErrExpired
	case until.After(now.Add(maxAhead)):
		return ErrForged
	}
	return nil
}

// purpose separates signatures of links from others.
const purpose = "link"

// sign covers the expiry as it is written in the link.
func (l Links) sign(kind, expiry, signed string) string {
	return l.Keys().Sign(purpose, message(kind, expiry, signed), l.Now())
}

func (l Links) signed(expiry, signature, name string, now time.Time) bool {
	ring := l.Keys()
	for kind, signed := range map[string]string{"object": name, "folder": path.Dir(name)} {
		m := message(kind, expiry, signed)
		if ring.Verify(purpose, m, signature, now) {
			return true
		}
		for _, secret := range ring.Earlier(signing.Links1, now) {
			mac := hmac.New(sha256.New, secret)
			mac.Write([]byte(m))
			if hmac.Equal([]byte(signature), []byte(base64.RawURLEncoding.EncodeToString(mac.Sum(nil)))) {
				return true
			}
		}
	}
	return false
}

func message(kind, expiry, signed string) string { return kind + "\n" + expiry + "\n" + signed }
