// Package translator has guides and answers translated by a language model, and lets people review the translations.
//
// A job translates a guide into each of its languages when its study is published, block by block. What the model writes is
// untrusted: the rules of package translation compare it with the source, text by text. A text that fails is tried once more with
// the reason, and is then left untranslated and marked, for a person to write. Each batch is stored when it is done, so that a
// job that dies continues where it was. A new revision does not ask for what an earlier one has. Without a model nothing is
// asked, and people can still write a translation.
//
// Answers are translated into the study's language after an interview, also in a job, and are kept beside the originals.
package translator
