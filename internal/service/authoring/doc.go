// Package authoring does the work on studies: drafts are made from guides, checked, revised, listed and launched. What a
// guide may say is package guide's, who may launch is package study's, and which wallet pays is package wallet's.
package authoring
