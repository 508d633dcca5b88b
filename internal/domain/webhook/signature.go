package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

// The headers of a message, by the specification of Standard Webhooks (https://www.standardwebhooks.com).
const (
	IDHeader        = "Webhook-Id"
	TimestampHeader = "Webhook-Timestamp"
	SignatureHeader = "Webhook-Signature"
)

// SecretBytes is the number of random bytes in a secret.
const SecretBytes = 32

// Overlap is how long messages are signed with the former secret, too, after a new one was made.
const Overlap = 24 * time.Hour

const secretPrefix = "whsec_"

// Secrets are those of an endpoint. Their text is what the receiver gets.
type Secrets struct {
	Current string
	Former  string    // empty: there is none
	Until   time.Time // when Former ends
}

// NewSecret returns a secret made from SecretBytes random bytes.
func NewSecret(random []byte) string { return secretPrefix + base64.StdEncoding.EncodeToString(random) }

// Rotate returns the secrets after a new one was made.
func (s Secrets) Rotate(secret string, at time.Time) Secrets {
	return Secrets{Current: secret, Former: s.Current, Until: at.Add(Overlap)}
}

// String returns the secrets as they are stored.
func (s Secrets) String() string {
	if s.Former == "" {
		return s.Current
	}
	return s.Current + " " + s.Former + " " + strconv.FormatInt(s.Until.Unix(), 10)
}

// ErrNoSecret means that an endpoint has no secret, as after its database was restored from a backup.
var ErrNoSecret = errors.New("the webhook has no secret: backups leave it out; make a new one")

// ParseSecrets reads what String returned; ErrNoSecret.
func ParseSecrets(stored string) (s Secrets, err error) {
	fields := strings.Fields(stored)
	if len(fields) == 3 {
		seconds, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return Secrets{}, ErrNoSecret
		}
		s.Former, s.Until = fields[1], time.Unix(seconds, 0).UTC()
	}
	if len(fields) != 1 && len(fields) != 3 {
		return Secrets{}, ErrNoSecret
	}
	s.Current = fields[0]
	return s, nil
}

// Sign returns the values of TimestampHeader and SignatureHeader of a message.
func (s Secrets) Sign(id string, at time.Time, body []byte) (timestamp, signature string) {
	timestamp = strconv.FormatInt(at.Unix(), 10)
	signature = sign(s.Current, id, timestamp, body)
	if s.Former != "" && at.Before(s.Until) {
		signature += " " + sign(s.Former, id, timestamp, body)
	}
	return timestamp, signature
}

func sign(secret, id, timestamp string, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		key = []byte(secret) // not one of NewSecret
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
