// Package tables holds the parts of a report on a study: cells whose numbers are formatted once, tables of cells, and sentences
// that are templates filled from cells, so that every number in a sentence also stands in a table. A report is written as JSON,
// CSV or Markdown from the same cells. Counters count answers into such tables.
package tables
