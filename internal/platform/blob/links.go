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

// Lifetime is how long the links of an answer of the API stay valid at least; LinkStep is how much longer they may. A link
// ends at a multiple of LinkStep, so that one made again shortly after is the same, and an answer with links keeps its ETag.
const (
	Lifetime = time.Hour
	LinkStep = 15 * time.Minute
)

// Errors of a link.
var (
	ErrForged  = errors.New("the link was not made by this service")
	ErrExpired = errors.New("the link has expired")
)

// Links makes and checks the addresses at which the media door serves objects without a key:
//
//	{base}/m/{expiry}/{signature}/{name}
//
// expiry is in seconds since 1970, a multiple of LinkStep. The signature is one of package signing over the expiry and the object's name or, so that the
// relative names in a playlist are signed too, the name of its folder.
type Links struct {
	Base string              // the public address of the service, without a slash at its end
	Keys func() signing.Ring // the same on every node
	Now  func() time.Time
}

// maxAhead is how far ahead an end may lie: no link is made that lasts longer, so one that does was made with a stolen secret.
const maxAhead = Lifetime + LinkStep + clockSlack

// clockSlack is how much the clocks of nodes may differ.
const clockSlack = 5 * time.Minute

// Object is a link to one object.
func (l Links) Object(name string, lifetime time.Duration) string {
	return l.link("object", name, name, lifetime)
}

// Folder is a link to an object that leads to the others in its folder when its last word is replaced; not to the folders
// below.
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

// Check takes the parts of a link. ErrForged, ErrExpired.
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

// purpose keeps signatures of links apart from others.
const purpose = "link"

// sign covers the expiry as it is written.
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
