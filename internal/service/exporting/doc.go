// Package exporting writes the responses of a study into files: as tables for spreadsheets and statistics programs, and with their recordings
// as an archive. What is written where is decided once, in variables.go and cells.go; the formats only write cells down. Responses are read
// in pages and written as they come, so that the size of a study does not matter.
package exporting
