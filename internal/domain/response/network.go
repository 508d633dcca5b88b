package response

// Network is a network from which many people start interviews, and how many times the rate limit of one household it gets.
type Network struct {
	Name  string
	Times int // at least 1
}
