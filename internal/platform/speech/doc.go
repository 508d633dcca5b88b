// Package speech asks a speech-to-text service, at any address that accepts OpenAI's POST {base}/audio/transcriptions: the
// vendors that offer it, and self-hosted servers with an open model. A Speaker asks for the opposite, a text as sound, by
// POST {base}/audio/speech.
//
// The service is not trusted. It gets the sound, the model's name and the language, and nothing about the person; its answer
// is bounded and parsed strictly, and a caller cleans it with package transcript before it is stored. The service may be
// slow, busy or down: every call has a deadline, few retries, and a place in a short queue.
package speech
