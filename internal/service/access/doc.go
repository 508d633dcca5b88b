// Package access decides who may call: it authenticates callers by their API keys, limits how often they call, and manages
// organizations, users, keys and grants for the operator. What a caller may do with a study is defined in package study.
package access
