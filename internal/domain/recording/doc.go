// Package recording owns what participants send besides words: uploads, which arrive in parts and may be interrupted and
// resumed, and recordings, which are made of them. It defines their limits, their allowed types and the names of their
// objects.
package recording
