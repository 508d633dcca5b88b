// Package review is how researchers look through responses in the dashboard: studies and responses by filter, one response with everything
// that is known of it, and what they decide about them. Documents, links and deletions come from results and erasure.
package review
