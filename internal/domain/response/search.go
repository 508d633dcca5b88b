package response

import "time"

// Hit is one response found by a parameter of its study link.
type Hit struct {
	ResponseID string
	ReadableID int
	StudyID    string
	LinkID     string
	CreatedAt  time.Time
}
