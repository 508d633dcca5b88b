// Package speech has a real voice heard by a real recogniser, through the whole service: Festival speaks, and PocketSphinx
// behind an adapter that takes OpenAI's POST /v1/audio/transcriptions understands. Both come as Debian packages with all they
// need (scripts/setup.sh). PocketSphinx knows English alone and hears badly through noise: it is for tests.
package speech
