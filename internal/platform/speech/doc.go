// Package speech asks a service that turns speech into text, at any address that takes OpenAI's
// POST {base}/audio/transcriptions: the vendors that offer it, and servers of one's own with an open model.
//
// The service is a stranger. It gets the sound, the model's name and the language, and nothing of whom it is about; its
// answer is bounded and read strictly, and a caller cleans it with package transcript before it is kept. It may be slow,
// busy or down: every call has a deadline, few repeats, and a place in a short queue.
package speech
