// Package study owns the noun: a study, its link ids, its states, and the rule of who may launch it. Its guide is
// package guide's.
package study
