// Package simulation takes interviews the way people do: it speaks the participant's protocol over HTTP, answers whatever
// step comes, and behaves like a particular person. It serves the demo, the simulate command, and the tests that kill the
// server or load it. It uses only the protocol and imports nothing of the service.
//
// Everything that a participant says and chooses follows from the seed, so a run can be repeated. Preferences among options
// are partly shared by all participants and partly each participant's own, so that results show tendencies, not noise. Open
// answers are English, in the length and mood of the persona. Each follows one thread, and so do the replies to follow-ups: they say what
// was asked for, about what was said before.
package simulation
