// Package maxdiff designs MaxDiff questions (best-worst scaling, case 1) and analyses their answers: counts, best-worst
// scores, multinomial logit utilities with standard errors, preference shares, and how consistent each person's answers are.
// It is pure; simulations use a seed that they are given.
//
// A design says which options are compared on which screen. It is balanced: every option is on as many screens as every
// other (or one more), meets the others as evenly as possible, and appears about as often at every position of a screen.
// There are several versions of each design, so that what remains uneven in one is balanced over the participants. Designs
// are the same on every node and must never change: interviews are replayed from them.
//
// The model is the sequential one (Marley and Louviere 2005, the "maxdiff" family): on a screen with the options S the best
// is b with probability exp(u_b) / Σ_{j in S} exp(u_j), and then the worst among the others is w with probability exp(-u_w)
// / Σ_{j in S without b} exp(-u_j). The likelihood is the product of both over all screens. It is concave; the utilities are
// its maximum, found by Newton's method with the analytic gradient and Hessian, with a sum of zero. There is no penalty,
// unless the maximum does not exist: see Fit.Unbounded.
package maxdiff
