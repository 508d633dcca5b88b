// Package sav writes SPSS system files (.sav), as PSPP's "System File Format" describes them: with labels of variables and values, missing
// values, texts of up to 32,767 bytes, in UTF-8, with the simple compression that every reader knows. It writes case after case and never
// seeks, so that files of any size need little memory.
package sav
