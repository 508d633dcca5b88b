// Package study defines the study: its link ids, its states, and the rule of who may launch it. Its guide belongs to package
// guide.
package study
