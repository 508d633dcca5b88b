// Package llm asks a language model, at any address that takes OpenAI's POST {base}/chat/completions: the vendors that offer
// it, and servers of one's own with an open model.
//
// The service is a stranger. It may be slow, busy, down, wrong in shape or hostile: a call has a deadline, few attempts, a
// place in a short line, and fails at once while the service is known to be down; what it answers is bounded, and held
// against the schema that was asked for. What a call may cost is reserved before and settled after it.
//
// Nothing here decides what is asked or believes what is answered: prompts, guards and fallbacks are the callers'.
package llm
