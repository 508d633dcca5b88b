package store_test

import (
	"strings"
	"testing"
)

// postgresIndexes names the index that a hot statement needs, where it has one of its own.
var postgresIndexes = map[string]string{
	"key":           "api_key_hash_key",
	"study":         "study_pkey",
	"study by link": "study_link_pkey",
	"study list":    "study_org",
	"way to a page": "item_tally_pkey",
	"updated since": "response_item_updated",
	"next update":   "study_pkey",
	"search":        "url_param_pkey",
	"participant":   "response_pkey",
	"log":           "turn_pkey",
	"copies":        "answer_print_pkey",
	"near copies":   "answer_print_pkey",
	"idle sweep":    "response_idle",
	"due jobs":      "job_ready",
	"claim":         "job_ready",
	"claim by turn": "job_queue_turn",
	"enqueue":       "job_queue_org",
	"idempotency":   "idempotency_pkey",
	"purge":         "turn_pkey",
}

func checkPostgresPlan(t *testing.T, name, plan string, sorts bool) {
	t.Helper()
	if uses := postgresIndexes[name]; !strings.Contains(plan, "Index Scan using "+uses) && !strings.Contains(plan, "Index Only Scan using "+uses) &&
		!strings.Contains(plan, "Index Scan Backward using "+uses) && !strings.Contains(plan, "Index Only Scan Backward using "+uses) {
		t.Errorf("the plan does not use %q:\n%s", uses, plan)
	}
	if strings.Contains(plan, "Seq Scan") {
		t.Errorf("a step scans a full table:\n%s", plan)
	}
	if !sorts && strings.Contains(plan, "Sort Key") {
		t.Errorf("a step sorts what an index could return in order:\n%s", plan)
	}
}
