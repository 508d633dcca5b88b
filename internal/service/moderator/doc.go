// Package moderator finds the words of follow-up questions, and says how it came to them. Model asks a language model, with the
// prompts in the folder of that name. Package guardrail judges its question before any participant reads it; if the question is
// refused, or the model is late or unavailable, BuiltIn decides.
//
// BuiltIn finds the words by rules, without a model. It takes up what the participant said last, in the participant's own words,
// and asks for the meaning, a concrete event, how it went, what it changes, and last of all why. It is neutral: no question
// suggests an answer, praises, or assumes that something was good or bad. It declines rather than ask a second time, press
// someone who has nothing to add, or ask in a language that it has no phrasebook for.
//
// BuiltIn does not read an item's addInstructions: only a model can follow instructions in prose.
package moderator
