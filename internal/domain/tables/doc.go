// Package tables is what a report on a study is made of: cells whose numbers are formatted once, tables of cells, and
// sentences that are templates filled from cells, so that every number which is read in a sentence stands in a table. A
// report is written as JSON, CSV or Markdown from the same cells. Tallies count answers into such tables.
package tables
