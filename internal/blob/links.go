package blob

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"path"
	"strconv"
	"time"
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
// expiry is in seconds since 1970, a multiple of LinkStep. The signature is HMAC-SHA256 over the expiry and the object's name or, so that the
// relative names in a playlist are signed too, the name of its folder.
type Links struct {
	Base   string // the public address of the service, without a slash at its end
	Secret []byte // the same on every node
	Now    func() time.Time
}

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
	object := hmac.Equal([]byte(signature), []byte(l.sign("object", expiry, name)))
	folder := hmac.Equal([]byte(signature), []byte(l.sign("folder", expiry, path.Dir(name))))
	if CheckName(name) != nil || !object && !folder {
		return ErrForged
	}
	if until, err := strconv.ParseInt(expiry, 10, 64); err != nil || !l.Now().Before(time.Unix(until, 0)) {
		return ErrExpired
	}
	return nil
}

// sign covers the expiry as it is written, and is compared as it is written: no second spelling of a link is valid.
func (l Links) sign(kind, expiry, signed string) string {
	if len(l.Secret) < sha256.Size {
		panic("blob: the secret of links is too short") // a mistake in the wiring, and one that would let anybody in
	}
	mac := hmac.New(sha256.New, l.Secret)
	mac.Write([]byte(kind + "\n" + expiry + "\n" + signed))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
