package response

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Tombstones is the prefix of the names of the objects that record deletions outside the database. A backup of the database
// that is older than a deletion still contains the response; its tombstone says that it must be deleted again. A tombstone
// contains ids and a time, and nothing that a person said.
const Tombstones = "tombstones/"

// Tombstone returns the object name of the deletion's tombstone. The name contains everything that is known of the deletion,
// so that a listing is enough to read them all. Tombstones are in one folder per day, the day of the request in UTC.
func (d Deletion) Tombstone() string {
	return fmt.Sprintf("%s%d.%s.%s.%s.%s", TombstoneDay(d.RequestedAt), d.RequestedAt.UnixMicro(), d.ID, d.OrgID, d.StudyID, d.ResponseID)
}

// TombstoneDay returns the name prefix of the tombstones of deletions that were requested on the given day.
func TombstoneDay(at time.Time) string { return Tombstones + at.UTC().Format(time.DateOnly) + "/" }

// ParseTombstone parses the name of a tombstone; ok is false if it is not one. The deletion has no status.
func ParseTombstone(name string) (d Deletion, ok bool) {
	_, last, _ := strings.Cut(strings.TrimPrefix(name, Tombstones), "/")
	words := strings.Split(last, ".")
	if len(words) != 5 {
		return Deletion{}, false
	}
	at, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		return Deletion{}, false
	}
	d = Deletion{ID: words[1], OrgID: words[2], StudyID: words[3], ResponseID: words[4], RequestedAt: time.UnixMicro(at).UTC()}
	for _, id := range words[1:] {
		if !isID(id) {
			return Deletion{}, false
		}
	}
	return d, d.Tombstone() == name
}

// isID reports whether s is a UUID in lower case.
func isID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		switch {
		case i == 8, i == 13, i == 18, i == 23:
			if c != '-' {
				return false
			}
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f':
		default:
			return false
		}
	}
	return true
}
