// Package interview is the engine: a pure fold over a guide, a seed, the link's parameters and the turns so far. It says
// which step comes next, refuses answers that do not fit the step, decides whether a follow-up is due, and tells what
// was asked and answered. It has no clock, no randomness of its own and no I/O: the same log gives the same interview
// on any node. Package fieldwork stores the turns and finds the moderator's words.
//
// A guide is compiled once into a Plan; Begin and Replay make a State of it; Next says where that stands and Apply moves
// it on. Where things lie: plan.go compiles, state.go folds, route.go decides what is met (conditions, concepts,
// carry-forward), visit.go holds one item as one participant meets it, check.go judges answers, progress.go looks ahead,
// record.go tells what was asked and answered. Packages draw and maxdiff below hold what chance decides.
package interview
