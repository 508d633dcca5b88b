// Package moderator finds the words of follow-up questions, and tells how it came to them. Model asks a language model, by the
// prompts in the folder of that name; what it would ask is judged by package probe before anybody reads it, and where it is
// refused, late or out of reach BuiltIn decides.
//
// BuiltIn does it by rules, with no model: it reaches for what the participant said last, in the participant's own words, and
// asks for meaning, a concrete moment, how it went, what it changes, and last of all why. It is neutral: no question suggests
// an answer, praises, or assumes that something was good or bad. It would rather decline than ask a second time, press
// someone who has nothing to add, or speak a language that it has no phrasebook for.
//
// BuiltIn does not read an item's addInstructions: instructions in prose are for a model to follow.
package moderator
