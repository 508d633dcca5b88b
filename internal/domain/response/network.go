package response

// Network is one of the networks that somebody starts interviews from, and how many times the pace of one household it has.
type Network struct {
	Name  string
	Times int // at least 1
}
