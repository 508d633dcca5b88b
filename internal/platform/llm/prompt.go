package llm

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
)

// Prompt is a system prompt. Its name contains its version and is stored with everything written by it: a prompt that was in
// use never changes, a better one is a new file. llmtest.PromptsNeverChange checks that.
type Prompt struct {
	Name string
	Text string
	Hash string // SHA-256 of Text, in hexadecimal
}

// ReadPrompt reads prompts/NAME.md of a package's embedded files. It panics if it does not exist: prompts are part of the
// program.
func ReadPrompt(files embed.FS, name string) Prompt {
	text, err := files.ReadFile("prompts/" + name + ".md")
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(text)
	return Prompt{Name: name, Text: string(text), Hash: hex.EncodeToString(sum[:])}
}
