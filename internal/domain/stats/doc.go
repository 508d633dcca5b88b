// Package stats holds the statistics behind the tables of a study: intervals of shares and of means, also where one person
// answered several times, and the association of two questions. It is pure; its methods are named where they stand, so that a
// reader can check them.
package stats
