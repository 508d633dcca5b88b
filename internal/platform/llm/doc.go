// Package llm asks a language model, at any address that accepts OpenAI's POST {base}/chat/completions: the vendors that
// offer it, and self-hosted servers with an open model.
//
// The service is not trusted. It may be slow, busy, down, malformed or hostile: a call has a deadline, few attempts, a place
// in a short queue, and fails immediately while the service is known to be down; its answers are bounded, and checked
// against the schema that was requested. What a call may cost is reserved before it and settled after it.
//
// What may identify a person is masked in every request and restored in its reply (mask.go); callers cannot forget it.
//
// Nothing here decides what is asked or trusts what is answered: prompts, guards and fallbacks belong to the callers.
package llm
