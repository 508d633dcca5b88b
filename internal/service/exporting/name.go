package exporting

// FileName returns a name for the file of an export. Link ids have only letters, digits, '-' and '_'.
func FileName(linkID string, o Options) string {
	switch {
	case o.Codebook:
		linkID += "-codebook"
	case o.Layout == Long && o.Format != ZIP:
		linkID += "-long"
	}
	return linkID + "." + string(o.Format)
}
