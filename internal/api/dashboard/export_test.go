package dashboard

// Row is a line of the table of operations.
type Row struct {
	Pattern, Role string
	Own, Recent   bool
}

// Table returns the table of operations.
func Table() (rows []Row) {
	for _, op := range operations {
		rows = append(rows, Row{op.pattern, string(op.role), op.own, recentOnly[op.pattern]})
	}
	return rows
}
