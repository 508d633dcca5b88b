// Package interview is the engine: a pure fold over a guide, a seed, the link's parameters and the turns so far. It returns
// which step comes next, refuses answers that do not fit the step, decides whether a follow-up is due, and returns what
// was asked and answered. It has no clock, no randomness of its own and no I/O: the same log gives the same interview
// on any node. Package fieldwork stores the turns and asks the moderator for words.
//
// A guide is compiled once into a Plan; Begin and Replay make a State of it; Next returns its step and Apply moves it on. An
// interview is a loop. A refused input leaves the state unchanged, so the same step is asked again:
//
//	state := plan.Begin(seed, params) // or plan.Replay(seed, params, log)
//	for step := state.Next(); !step.Ended(); step = state.Next() {
//		if turn, err := state.Apply(respond(step), now); err == nil {
//			log = append(log, turn)
//		}
//	}
//
// The files: plan.go compiles, state.go folds, route.go decides what is visited (conditions, concepts, carry-forward),
// visit.go holds one item as one participant sees it, check.go checks answers, progress.go looks ahead, record.go returns
// what was asked and answered. Package draw supplies the random numbers, package maxdiff the designs of MaxDiff questions.
package interview
