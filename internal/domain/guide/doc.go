// Package guide owns the study guide: what a researcher sends to create a study. It decodes the payload strictly and
// reports every fault with its place, keeps the cross-field rules, gives every part its id and every item its number,
// and writes the stored form. It knows nothing of interviews, stores or HTTP; package interview runs what it accepts.
package guide
