package maxdiff

// Make is Design without what is kept, for benchmarks.
var Make = design
