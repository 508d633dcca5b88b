// Package maxdiff designs MaxDiff questions (best-worst scaling, case 1) and reads their answers: counts, best-worst scores, multinomial logit
// utilities with standard errors, preference shares, and how well each person's answers hang together. It is pure; what it
// simulates comes from a seed that it is given.
//
// A design says which options are compared on which screen. It is balanced: every option stands on as many screens as every other (or one more), meets the others as evenly as can be
// had, and stands about as often at every position of a screen. There are several versions of each design, so that
// what remains uneven in one is evened out over the participants. Designs are the same on every node and for ever:
// interviews are replayed from them.
//
// The model is the sequential one (Marley and Louviere 2005, the "maxdiff" family): on a screen with the options S the best
// is b with probability exp(u_b) / Σ_{j in S} exp(u_j), and then the worst among those that remain is w with probability
// exp(-u_w) / Σ_{j in S without b} exp(-u_j). The likelihood is the product of both over all screens. It is concave; the
// utilities are its maximum, found by Newton's method with the analytic gradient and Hessian, with a sum of zero. There is
// no penalty, unless the maximum does not exist: see Fit.Unbounded.
package maxdiff
