// Package panels delivers what panels are told when interviews end, and keeps what a study shares with its panel: secrets, signed links and
// completion codes. Package fieldwork decides what a panel is told, and sends participants back to it.
package panels
