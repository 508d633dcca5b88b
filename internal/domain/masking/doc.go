// Package masking takes out of texts what may identify a person, before a language model gets them, and puts it back into what the
// model answers: mail addresses, links, handles, telephone, card, account and identity numbers, street addresses, and values that
// the caller knows to be private. Each becomes a placeholder such as [mail 1]. The originals are known only to the Masker, so the
// texts that leave say less than the database does.
//
// The package is pure, and stands in the domain because every service that asks a model needs the same rules. llm.Client applies
// it to every request, so that no caller can forget it; a service makes a Masker itself only where it knows more: the order of an
// interview's turns, or the values of a participant's link.
//
// What is found is found by form: a check digit, a group of digits, the word for a kind of street. Dates, times, prices, years and
// product numbers stay. What the words themselves reveal (a name, an employer, a story) no rule here sees;
// docs/what-a-model-sees.md has the figures.
package masking
