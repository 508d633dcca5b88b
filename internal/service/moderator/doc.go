// Package moderator finds the words of follow-up questions, and says how it came to them. Model asks a language model, with the
// prompts in the folder of that name. Package guardrail judges its question before any participant reads it; if the question is
// refused, or the model is late or unavailable, BuiltIn decides.
//
// BuiltIn finds the words by rules, without a model. It classes the answer (class.go) by its form, by the question and by short lists
// of cues; the class says what may be asked for (need), and the phrasebook of the language has the words. It is neutral: no question
// suggests an answer, praises, or assumes that something was good or bad. It declines rather than press somebody who has nothing to
// add, refuses, grieves or wants to stop, or ask in a language that it has no phrasebook for.
//
// BuiltIn does not read an item's addInstructions: only a model can follow instructions in prose.
package moderator
