// Package authoring manages studies: it creates drafts from guides, and checks, revises, lists, launches, closes and reopens
// studies. Package guide defines what a guide may contain, package study who may launch, and package wallet which wallet pays.
package authoring
