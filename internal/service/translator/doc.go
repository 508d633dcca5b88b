// Package translator has guides and answers translated by a language model, and lets people review what it wrote.
//
// A guide is translated by a job for each of its languages when its study is published, block by block. What the model writes
// is data from a stranger: the rules of package translation hold it against the source, text by text; what fails is asked for
// once more with the reason, and then left untranslated and marked, for a person to write. Each batch is stored when it is done,
// so that a job which dies goes on where it was. A new revision asks for nothing that an earlier one has. Without a model
// nothing is asked, and people can still write a translation.
//
// Answers are translated into the study's language after an interview, in a job too, and kept beside the originals.
package translator
