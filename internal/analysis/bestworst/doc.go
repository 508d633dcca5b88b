// Package bestworst reads MaxDiff (best-worst scaling, case 1) answers: counts, best-worst scores, multinomial logit
// utilities with standard errors, preference shares, and how well each person's answers hang together. It is pure; what it
// simulates comes from a seed that it is given.
//
// The model is the sequential one (Marley and Louviere 2005, the "maxdiff" family): on a screen with the options S the best
// is b with probability exp(u_b) / Σ_{j in S} exp(u_j), and then the worst among those that remain is w with probability
// exp(-u_w) / Σ_{j in S without b} exp(-u_j). The likelihood is the product of both over all screens. It is concave; the
// utilities are its maximum, found by Newton's method with the analytic gradient and Hessian, with a sum of zero. There is
// no penalty, unless the maximum does not exist: see Fit.Unbounded.
package bestworst
