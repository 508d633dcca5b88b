// Package speech has real speech transcribed through the complete service: Festival speaks, and PocketSphinx, behind an adapter for
// OpenAI's POST /v1/audio/transcriptions, understands. Both come as Debian packages with everything they need (scripts/setup.sh).
// PocketSphinx knows only English and copes badly with noise: it is for tests.
package speech
