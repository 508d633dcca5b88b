// Package maxdiff designs which options are compared on which screen of a best-worst scaling question. A design is
// balanced: every option stands on as many screens as every other (or one more), meets the others as evenly as can be
// had, and stands about as often at every position of a screen. There are several versions of each design, so that
// what remains uneven in one is evened out over the participants. Designs are the same on every node and for ever:
// interviews are replayed from them.
package maxdiff
