package response

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Consent is a text that participants of a study agreed to before their interviews.
type Consent struct {
	Hash     string
	Version  int // 1, 2, ... of the study's texts in this language
	Language string
	Text     string
	GivenAt  time.Time // by the participant who is asked about; zero otherwise
}

// NewConsent returns a text with its hash.
func NewConsent(language, text string) Consent {
	sum := sha256.Sum256([]byte(language + "\n" + text))
	return Consent{Hash: hex.EncodeToString(sum[:]), Language: language, Text: text}
}
