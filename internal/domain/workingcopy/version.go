package workingcopy

import (
	"errors"
	"time"
)

// Errors of versions.
var (
	ErrNoVersion = errors.New("the study has no such version of its guide")
	ErrConflict  = errors.New("the guide has a newer version")
	ErrProblems  = errors.New("the newest version of the guide has errors")
)

// Origin says where a version comes from.
type Origin string

// The origins. A program, and the operator, change a guide without the dashboard.
const (
	Created   Origin = "created"
	Edited    Origin = "edit"
	Restored  Origin = "restore"
	ByProgram Origin = "program"
)

// Version is one version of the working copy of a study.
type Version struct {
	StudyID  string
	Number   int // from 1; those that were merged with a later one are missing
	Guide    []byte
	Valid    bool
	Revision int // the editable revision that it became; if it is not valid, the newest one when it was saved
	Origin   Origin
	Restored int // number of the version that it repeats; 0: none
	UserID   string
	UserName string // name or mail address
	Summary  Summary
	Began    time.Time // the first of the edits that are one version
	At       time.Time // the last
}

// Summary counts the differences of a version from the one before it.
type Summary struct {
	Added, Removed, Moved, Changed int
	Labels                         []string // of the first ones
}

// Summarize counts changes.
func Summarize(changes []Change) Summary {
	var s Summary
	for i := range changes {
		c := &changes[i]
		switch c.Kind {
		case Added:
			s.Added++
		case Removed:
			s.Removed++
		case Moved:
			s.Moved++
		case Changed:
			s.Changed++
		}
		if len(s.Labels) < maxLabels && c.Label != "" {
			s.Labels = append(s.Labels, c.Label)
		}
	}
	return s
}

// together limits the time within which the edits of one person are one version.
const together = time.Minute

// Continues reports whether an edit by a user at a time is the same version as v, the newest one.
func (v *Version) Continues(userID string, at time.Time) bool {
	return v.Origin == Edited && v.UserID == userID && userID != "" && at.Sub(v.Began) < together
}

// maxLabels limits the labels of a summary.
const maxLabels = 5
