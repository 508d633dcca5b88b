package response_test

import (
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/response"
)

func TestTombstone(t *testing.T) {
	t.Parallel()
	id := func(n string) string { return "0190a5d0-0000-7000-8000-00000000000" + n }
	d := response.Deletion{
		ID: id("1"), OrgID: id("2"), StudyID: id("3"), ResponseID: id("4"),
		RequestedAt: time.Date(2026, 11, 22, 23, 59, 59, 123456000, time.UTC),
	}
	name := d.Tombstone()
	if !strings.HasPrefix(name, "tombstones/2026-11-22/1795391999123456.") || name != response.TombstoneDay(d.RequestedAt)+name[len("tombstones/2026-11-22/"):] {
		t.Errorf("the tombstone is %s", name)
	}
	if got, ok := response.ParseTombstone(name); !ok || got != d {
		t.Errorf("%s reads %+v, %v", name, got, ok)
	}
	for _, wrong := range []string{
		"", "tombstones/", name + ".x", name[1:], strings.ToUpper(name), strings.Replace(name, "2026-11-22", "2026-11-23", 1),
		strings.Replace(name, id("4"), "../../x", 1), strings.Replace(name, "17953", "x7953", 1), strings.Replace(name, id("4"), "", 1),
		strings.Replace(name, "/17953", "/017953", 1),
	} {
		if got, ok := response.ParseTombstone(wrong); ok {
			t.Errorf("%q reads %+v", wrong, got)
		}
	}
}
