// Package workingcopy handles a study's guide while people type it. Such a copy may be incomplete: it is any JSON object with blocks and
// items. The package fills in ids, finds what is wrong with a copy, and compares two of them by their ids. Package guide has the rules
// of complete guides; service authoring keeps the versions.
package workingcopy
