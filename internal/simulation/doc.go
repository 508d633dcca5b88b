// Package simulation takes interviews the way people do: it speaks the participant's protocol over HTTP, answers
// whatever step comes, and behaves like somebody in particular. It serves the demo, the simulate command, and the tests
// that kill the server or load it. It knows the protocol alone and imports nothing of the service.
//
// All that a participant says and chooses follows from the seed, so a run can be repeated. Preferences among options are
// partly everybody's and partly each participant's own: results show leanings, not noise. Open answers come from a stock
// of English sentences, in the length and mood of the persona.
package simulation
