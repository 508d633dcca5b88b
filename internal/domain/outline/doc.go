// Package outline makes a study guide of a plain-text outline: headings are blocks, lines are questions, lists are options.
package outline
