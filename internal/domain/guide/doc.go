// Package guide owns the study guide: what a researcher sends to create a study. It decodes the payload strictly and reports
// every error with its place, checks the cross-field rules, gives every part its id and every item its number, and writes
// the stored form. It knows nothing of interviews, stores or HTTP; package interview runs the guides that it accepts.
package guide
