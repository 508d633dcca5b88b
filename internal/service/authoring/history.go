package authoring

import (
	"context"
	"slices"

	"verbatim/internal/domain/study"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// VersionPage is a page of a guide's history. Next is the number below which the following page goes on; 0 on the last.
type VersionPage struct {
	List []PastVersion
	Next int
}

// PastVersion is a version in a guide's history.
type PastVersion struct {
	workingcopy.Version
	Published bool // participants get it now
}

// Versions lists the history of a study's guide, newest first: the versions below a number, or from the newest where it is 0.
func (s *Service) Versions(ctx context.Context, of study.Study, before int) (page VersionPage, err error) {
	defer operation.Wrap(&err, "authoring.Versions")
	view := s.Store.View()
	versions, err := view.Versions(ctx, of.ID, before, VersionsPageSize+1)
	if err != nil {
		return VersionPage{}, err
	}
	if before == 0 {
		now, stored, err := newest(ctx, view, of)
		if err != nil {
			return VersionPage{}, err
		}
		if !stored {
			versions = slices.Insert(versions, 0, now)
		}
	}
	if len(versions) > VersionsPageSize {
		versions = versions[:VersionsPageSize]
		page.Next = versions[VersionsPageSize-1].Number
	}
	for _, v := range versions {
		page.List = append(page.List, past(of, v))
	}
	return page, nil
}

func past(of study.Study, v workingcopy.Version) PastVersion {
	return PastVersion{v, of.PublishedRevision > 0 && !isUnpublished(of, v)}
}

// Version returns one version of a guide; workingcopy.ErrNoVersion.
func (s *Service) Version(ctx context.Context, of study.Study, number int) (_ PastVersion, err error) {
	defer operation.Wrap(&err, "authoring.Version")
	v, err := s.version(ctx, of, number)
	return past(of, v), err
}

// version is Version; 0 is the newest.
func (s *Service) version(ctx context.Context, of study.Study, number int) (workingcopy.Version, error) {
	view := s.Store.View()
	now, _, err := newest(ctx, view, of)
	if err != nil || number == 0 || number == now.Number {
		return now, err
	}
	return view.Version(ctx, of.ID, number)
}

// Published is the number of a version that stands for what participants get now.
const Published = -1

// Consequence is a difference with what it means for the answers that there are.
type Consequence struct {
	workingcopy.Change
	Answers int // of a removed item or option: responses that answered or chose it; -1: not counted
}

// The bounds of a comparison.
const (
	maxChanges  = 1000
	maxCounted  = 20     // differences whose answers are counted
	maxToCount  = 10_000 // responses of a study whose answers are counted
	notCounted  = -1
	maxReadable = 1<<31 - 1
)

// Changes compares two versions of a guide; from may be Published, and to may be 0 for the newest. more is how many differences are left
// out; workingcopy.ErrNoVersion.
func (s *Service) Changes(ctx context.Context, of study.Study, from, to int) (all []Consequence, more int, err error) {
	defer operation.Wrap(&err, "authoring.Changes")
	view := s.Store.View()
	var older []byte
	switch {
	case from != Published:
		v, err := s.version(ctx, of, from)
		if err != nil {
			return nil, 0, err
		}
		older = v.Guide
	case of.PublishedRevision == 0:
		return nil, 0, workingcopy.ErrNoVersion
	default:
		if older, err = view.StudyGuide(ctx, of.OrgID, of.ID, of.PublishedRevision); err != nil {
			return nil, 0, err
		}
	}
	newer, err := s.version(ctx, of, to)
	if err != nil {
		return nil, 0, err
	}
	changes := workingcopy.Compare(older, newer.Guide)
	if len(changes) > maxChanges {
		changes, more = changes[:maxChanges], len(changes)-maxChanges
	}
	all, err = s.consequences(ctx, view, of, changes)
	return all, more, err
}

// consequences counts the answers to what was removed, where there are not too many responses to read.
func (s *Service) consequences(ctx context.Context, view *store.View, of study.Study, changes []workingcopy.Change) (all []Consequence, err error) {
	_, responses, err := view.Arrivals(ctx, of.ID, maxReadable)
	if err != nil {
		return nil, err
	}
	counted := 0
	for _, change := range changes {
		c := Consequence{change, notCounted}
		countable := change.Kind == workingcopy.Removed && (change.Part == workingcopy.PartItem || change.Part == workingcopy.PartOption)
		if countable && responses > 0 && responses <= maxToCount && counted < maxCounted {
			counted++
			option := ""
			if change.Part == workingcopy.PartOption {
				option = change.ID
			}
			if c.Answers, err = view.CountChosen(ctx, of.ID, change.ItemID, option); err != nil {
				return nil, err
			}
		}
		all = append(all, c)
	}
	return all, nil
}
