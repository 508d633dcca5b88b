package review

import "verbatim/internal/domain/response"

// Prepared returns the filter as the store reads it, for whoever reads responses page by page; ErrNoWords.
func (f Filter) Prepared() (response.ReviewFilter, error) { return f.prepared() }
