package mediaupload

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// MaxChunk is the most that one request brings of an upload, in bytes.
const MaxChunk = 4 << 20

// maxParts bounds the requests of one upload: the largest film in pieces of 256 KiB.
const maxParts = guidemedia.MaxFilm / (256 << 10)

// Service receives files for guides. Share one value.
type Service struct {
	Store   *store.Store
	Objects blob.Store // nil: there is no place for files

	once     sync.Once
	pictures chan struct{} // holds one value while an image is decoded: each may take much memory
}

// errNoObjects means that the program was started without a place for objects.
var errNoObjects = errors.New("there is no place for files")

// Begin creates an upload of so many bytes. Errors: guidemedia.ErrTooLarge, guidemedia.ErrFull.
func (s *Service) Begin(ctx context.Context, caller org.Caller, of study.Study, name string, size int64) (m guidemedia.Media, err error) {
	defer operation.Wrap(&err, "mediaupload.Begin")
	switch {
	case s.Objects == nil:
		return m, errNoObjects
	case size > guidemedia.MaxFilm:
		return m, guidemedia.ErrTooLarge
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
		m, err = tx.CreateGuideMedia(ctx, guidemedia.Media{OrgID: of.OrgID, StudyID: of.ID, UserID: caller.UserID, Name: cleanName(name), Size: size}, guidemedia.MaxTotal)
		return err
	})
	return m, err
}

// cleanName returns the last part of a file's name, without what is not to be shown.
func cleanName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, name)
	for utf8.RuneCountInString(name) > 200 {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name
}

// Media returns a file; guidemedia.ErrNotFound.
func (s *Service) Media(ctx context.Context, of study.Study, id string) (_ guidemedia.Media, err error) {
	defer operation.Wrap(&err, "mediaupload.Media")
	if !guidemedia.IsID(id) {
		return guidemedia.Media{}, guidemedia.ErrNotFound
	}
	return s.Store.View().GuideMedia(ctx, of.OrgID, id)
}

// maxListed limits the files in a list.
const maxListed = 200

// List lists the files that were uploaded for a study or that its guides name, and how many bytes the organization uses for all of its guides.
func (s *Service) List(ctx context.Context, of study.Study) (all []guidemedia.Media, used int64, err error) {
	defer operation.Wrap(&err, "mediaupload.List")
	if all, err = s.Store.View().StudyMedia(ctx, of.OrgID, of.ID, maxListed); err != nil {
		return nil, 0, err
	}
	used, err = s.Store.View().MediaBytes(ctx, of.OrgID)
	return all, used, err
}

// Append adds bytes to an upload, and completes it with the last ones. What cannot be taken fails: its stage says so, and its problem why. Errors:
// guidemedia.ErrNotFound; guidemedia.ErrOffset unless the bytes begin where the upload ends; guidemedia.ErrTooLarge where there are more than were announced.
func (s *Service) Append(ctx context.Context, caller org.Caller, of study.Study, id string, offset int64, chunk []byte) (m guidemedia.Media, err error) {
	defer operation.Wrap(&err, "mediaupload.Append")
	if m, err = s.Media(ctx, of, id); err != nil {
		return m, err
	}
	arrived := m.Received == m.Size && len(chunk) == 0 // a server ended before it could complete the upload
	switch {
	case m.Stage != guidemedia.Uploading || offset != m.Received:
		return m, guidemedia.ErrOffset
	case m.Received+int64(len(chunk)) > m.Size || m.Parts >= maxParts:
		return m, guidemedia.ErrTooLarge
	case arrived:
		return s.complete(ctx, caller, of, m)
	case len(chunk) == 0:
		return m, nil
	}
	if m.Received == 0 {
		if len(chunk) < guidemedia.SniffBytes && int64(len(chunk)) < m.Size {
			return m, guidemedia.ErrOffset // too little to tell what it is
		}
		if m.Kind, err = guidemedia.KindOf(chunk, m.Size); err != nil {
			return s.fail(ctx, m, guidemedia.Uploading, err)
		}
	}
	object := m.PartFolder() + strconv.Itoa(m.Parts) + "-" + store.NewID()
	if err := s.Objects.Put(ctx, object, bytes.NewReader(chunk), int64(len(chunk)), "application/octet-stream"); err != nil {
		return m, err
	}
	if err := s.Store.Write(ctx, func(tx *store.Tx) error { return tx.AppendGuideMedia(ctx, m, object, int64(len(chunk))) }); err != nil {
		if errors.Is(err, guidemedia.ErrOffset) {
			err = errors.Join(err, s.Objects.Delete(ctx, object))
		}
		return m, err
	}
	m.Received += int64(len(chunk))
	m.Parts++
	if m.Received < m.Size {
		return m, nil
	}
	return s.complete(context.WithoutCancel(ctx), caller, of, m)
}

// complete makes of an upload what is kept, or, of a film, a job that does.
func (s *Service) complete(ctx context.Context, caller org.Caller, of study.Study, m guidemedia.Media) (guidemedia.Media, error) {
	if m.Kind == guidemedia.Film {
		return s.advance(ctx, caller, of, m, guidemedia.Queued, func(tx *store.Tx) error {
			return jobs.Enqueue(ctx, tx, jobs.FilmArgs{MediaID: m.ID, OrgID: m.OrgID})
		})
	}
	content, err := s.content(ctx, m.ID, m.Size)
	if err != nil {
		return m, err
	}
	made, err := s.prepare(ctx, m.Kind, content)
	if err != nil {
		return s.fail(ctx, m, guidemedia.Uploading, err)
	}
	m.File, m.Width, m.Height, m.Stored = made.File, made.Width, made.Height, int64(len(made.Content))
	if err := s.Objects.Put(ctx, m.Folder()+m.File, bytes.NewReader(made.Content), m.Stored, guidemedia.FileType(m.File)); err != nil {
		return m, err
	}
	m, err = s.advance(ctx, caller, of, m, guidemedia.Ready, nil)
	if err != nil {
		return m, err
	}
	return m, s.Objects.DeletePrefix(ctx, m.PartFolder())
}

// prepare returns what is kept of an image or of captions.
func (s *Service) prepare(ctx context.Context, kind guidemedia.Kind, content []byte) (guidemedia.Picture, error) {
	if kind == guidemedia.Captions {
		text, err := guidemedia.CheckCaptions(content)
		return guidemedia.Picture{File: guidemedia.CaptionFile, Content: text}, err
	}
	s.once.Do(func() { s.pictures = make(chan struct{}, 1) })
	select {
	case s.pictures <- struct{}{}:
	case <-ctx.Done():
		return guidemedia.Picture{}, ctx.Err()
	}
	defer func() { <-s.pictures }()
	return guidemedia.PreparePicture(content)
}

// content returns the bytes that arrived.
func (s *Service) content(ctx context.Context, id string, size int64) ([]byte, error) {
	parts, err := s.Store.View().GuideMediaParts(ctx, id)
	if err != nil {
		return nil, err
	}
	all := bytes.NewBuffer(make([]byte, 0, size))
	if err := copyParts(ctx, s.Objects, parts, all); err != nil {
		return nil, err
	}
	return all.Bytes(), nil
}

// copyParts writes objects one after another.
func copyParts(ctx context.Context, objects blob.Store, parts []string, to io.Writer) error {
	for _, name := range parts {
		part, err := objects.Get(ctx, name, 0, blob.ToEnd)
		if err != nil {
			return err
		}
		_, err = io.Copy(to, part)
		if err = errors.Join(err, part.Close()); err != nil {
			return err
		}
	}
	return nil
}

// advance stores the next stage of an upload, with its line in the audit log.
func (s *Service) advance(ctx context.Context, caller org.Caller, of study.Study, m guidemedia.Media, to guidemedia.Stage, also func(*store.Tx) error) (guidemedia.Media, error) {
	m.Stage = to
	err := s.Store.Write(ctx, func(tx *store.Tx) error {
		advanced, err := tx.AdvanceGuideMedia(ctx, m, guidemedia.Uploading)
		if err != nil {
			return err
		}
		if !advanced { // another request was as fast
			return guidemedia.ErrOffset
		}
		if also != nil {
			if err := also(tx); err != nil {
				return err
			}
		}
		return tx.Audit(ctx, org.AuditEntry{
			OrgID: m.OrgID, UserID: caller.UserID, Action: org.AuditMediaUploaded, Subject: of.LinkID,
			Detail: map[string]string{"name": m.Name, "kind": string(m.Kind), "media": m.ID},
		})
	})
	return m, err
}

// fail stores why a file is not taken, and removes what arrived of it. Errors other than a guidemedia.Problem are returned.
func (s *Service) fail(ctx context.Context, m guidemedia.Media, from guidemedia.Stage, cause error) (guidemedia.Media, error) {
	problem, ok := errors.AsType[guidemedia.Problem](cause)
	if !ok {
		return m, cause
	}
	m.Stage, m.Problem, m.File, m.Stored = guidemedia.Failed, string(problem), "", 0
	if err := s.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.AdvanceGuideMedia(ctx, m, from)
		return err
	}); err != nil {
		return m, err
	}
	return m, s.Objects.DeletePrefix(ctx, m.Folder())
}

// Cancel removes an upload that is not complete, or a file that failed; guidemedia.ErrNotFound, guidemedia.ErrComplete.
func (s *Service) Cancel(ctx context.Context, of study.Study, id string) (err error) {
	defer operation.Wrap(&err, "mediaupload.Cancel")
	m, err := s.Media(ctx, of, id)
	if err != nil {
		return err
	}
	if m.Stage == guidemedia.Ready {
		return guidemedia.ErrComplete
	}
	dropped := false
	if err := s.Store.Write(ctx, func(tx *store.Tx) error {
		dropped, err = tx.DropGuideMedia(ctx, m.ID, m.Stage)
		return err
	}); err != nil {
		return err
	}
	if !dropped { // it got further meanwhile
		return guidemedia.ErrComplete
	}
	return s.Objects.DeletePrefix(ctx, m.Folder())
}

// sweepBatch is the number of files that one call of Sweep looks at.
const sweepBatch = 50

// Sweep removes uploads that were not completed, and files that no guide names. Every node may run it. It returns how many it removed.
func (s *Service) Sweep(ctx context.Context) (removed int, err error) {
	defer operation.Wrap(&err, "mediaupload.Sweep")
	if s.Objects == nil {
		return 0, nil
	}
	now := s.Store.Now()
	due, err := s.Store.View().DueGuideMedia(ctx, now.Add(-guidemedia.KeepIncomplete), now.Add(-guidemedia.KeepUnused), sweepBatch)
	if err != nil {
		return 0, err
	}
	for _, m := range due {
		dropped, err := s.removeUnused(ctx, m)
		if err != nil {
			return removed, err
		}
		if dropped {
			removed++
		}
	}
	return removed, nil
}

// removeUnused removes a file that no guide names: first its objects, so that nothing is left of them wherever this ends.
func (s *Service) removeUnused(ctx context.Context, m guidemedia.Media) (dropped bool, err error) {
	if m.Stage == guidemedia.Ready {
		used, err := s.Store.View().GuideMediaUsed(ctx, m)
		if err != nil {
			return false, err
		}
		if used {
			return false, s.Store.Write(ctx, func(tx *store.Tx) error { return tx.TouchGuideMedia(ctx, m.ID) })
		}
	}
	if err := s.Objects.DeletePrefix(ctx, m.Folder()); err != nil {
		return false, err
	}
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		if dropped, err = tx.DropGuideMedia(ctx, m.ID, m.Stage); err != nil || !dropped || m.Stage != guidemedia.Ready {
			return err
		}
		return tx.Audit(ctx, org.AuditEntry{OrgID: m.OrgID, Action: org.AuditMediaRemoved, Subject: m.Name, Detail: map[string]string{"media": m.ID}})
	})
	return dropped, err
}
