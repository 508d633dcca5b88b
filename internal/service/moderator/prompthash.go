package moderator

import (
	"crypto/sha256"
	"encoding/hex"
)

// PromptHash returns the hash that is stored with the decisions of a prompt; known is false for a prompt that this program does not have.
func PromptHash(name string) (hash string, known bool) {
	text, err := prompts.ReadFile("prompts/" + name + ".md")
	if name == "" || err != nil {
		return "", false
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), true
}
