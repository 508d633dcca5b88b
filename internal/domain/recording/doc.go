// Package recording owns the nouns of what participants send beside words: uploads, which arrive in parts and may be broken
// off and resumed, and recordings, which are made of them. It knows their limits, their allowed types and the names of
// their objects.
package recording
