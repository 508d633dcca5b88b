// Package access owns who may call: it tells callers by their API keys, limits how often they call, and does the
// operator's work on organizations, users, keys and grants. What a caller may do with a study is package study's rule.
package access
