package exporting

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/platform/blob"
)

// manifestVariables are the columns of manifest.csv: a row is a file.
var manifestVariables = []variable{
	{name: "file", kind: text},
	{name: "response", kind: number},
	{name: "response_id", kind: text},
	{name: "variable", kind: text},
	{name: "item_id", kind: text},
	{name: "concept_id", kind: text},
	{name: "row", kind: number},
	{name: "follow_up", kind: code, values: noYes},
	{name: "recorded", kind: text},
	{name: "media_type", kind: text},
	{name: "duration_seconds", kind: number},
	{name: "bytes", kind: number},
	{name: "original_name", kind: text},
	{name: "problem", kind: text},
}

// archive is an archive being written.
type archive struct {
	*export
	to       *zip.Writer
	manifest *spool
}

// writeZIP writes an archive: the responses as CSV, the codebook, recordings and files of participants, and last the manifest, which says
// what each is.
func (e *export) writeZIP(ctx context.Context, to io.Writer) (err error) {
	waiting, err := newSpool()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, waiting.Close()) }()
	a := &archive{export: e, to: zip.NewWriter(to), manifest: waiting}
	if err := a.addTables(ctx); err != nil {
		return err
	}
	if err := e.eachRecord(ctx, func(r *record) error { return a.addMedia(ctx, r) }); err != nil {
		return err
	}
	if err := a.addManifest(); err != nil {
		return err
	}
	return a.to.Close()
}

func (a *archive) create(name string, method uint16) (io.Writer, error) {
	return a.to.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: a.at.UTC().Truncate(time.Second)})
}

func (a *archive) addTables(ctx context.Context) error {
	w, err := a.create("responses.csv", zip.Deflate)
	if err != nil {
		return err
	}
	silent := *a.export // the second reading tells how far it is
	silent.options.Progress = nil
	if err := silent.writeTable(ctx, CSV, w); err != nil {
		return err
	}
	if w, err = a.create("codebook.csv", zip.Deflate); err != nil {
		return err
	}
	t, err := newCSVTable(w, codebookVariables, Options{})
	if err != nil {
		return err
	}
	if err := a.codebook(t.row); err != nil {
		return err
	}
	return t.close()
}

func (a *archive) addManifest() error {
	w, err := a.create("manifest.csv", zip.Deflate)
	if err != nil {
		return err
	}
	t, err := newCSVTable(w, manifestVariables, Options{Labels: true})
	if err != nil {
		return err
	}
	if err := a.manifest.each(len(manifestVariables), t.row); err != nil {
		return err
	}
	return t.close()
}

// mediaFile is a file of the archive.
type mediaFile struct {
	name      string // without its folder
	objects   []string
	at        interview.Exchange
	row       int
	recorded  string
	mediaType string
	duration  time.Duration
	original  string // as the participant named it
	problem   string
}

// addMedia adds the recordings of a response and the files that were uploaded with it.
func (a *archive) addMedia(ctx context.Context, r *record) error {
	if a.objects == nil {
		return nil
	}
	files, err := a.mediaOf(ctx, r)
	if err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		folder := fmt.Sprintf("media/%06d/", r.ReadableID)
		name, size := folder+f.name, int64(0)
		if f.problem == "" {
			size, err = a.copyObjects(ctx, name, f.objects)
			if errors.Is(err, blob.ErrNotFound) {
				f.problem, err = "not stored any more", nil
				a.summary.Missing++
			}
			if err != nil {
				return err
			}
		}
		if f.problem != "" {
			name = ""
		}
		variable := ""
		if g := a.groups[place{f.at.ItemID, f.at.ConceptID}]; g != nil && g.count > 0 {
			variable = a.variables[g.first].name
		}
		followUp := intCell(0)
		if f.at.FollowUp {
			followUp = intCell(1)
		}
		if err := a.manifest.add([]cell{
			textCell(name), intCell(r.ReadableID), textCell(r.ID), textCell(variable), textCell(f.at.ItemID), textCell(f.at.ConceptID), intCell(f.row), followUp,
			textCell(f.recorded), textCell(f.mediaType), numberCell(float64(f.duration.Milliseconds()) / 1000), numberCell(float64(size)), textCell(f.original), textCell(f.problem),
		}); err != nil {
			return err
		}
	}
	return nil
}

// copyObjects writes objects one after the other as one file; blob.ErrNotFound, with nothing written, if the first is gone.
func (a *archive) copyObjects(ctx context.Context, name string, objects []string) (size int64, err error) {
	var w io.Writer
	for _, object := range objects {
		from, err := a.objects.Get(ctx, object, 0, blob.ToEnd)
		if err != nil {
			return size, err
		}
		if w == nil {
			if w, err = a.create(name, zip.Store); err != nil { // recordings are compressed already
				return 0, errors.Join(err, from.Close())
			}
		}
		n, err := io.Copy(w, from)
		size += n
		if err = errors.Join(err, from.Close()); err != nil {
			return size, err
		}
	}
	return size, nil
}

// mediaOf lists the recordings of a response and the files that were uploaded with it.
func (a *archive) mediaOf(ctx context.Context, r *record) (files []mediaFile, err error) {
	taken := map[string]bool{}
	add := func(f mediaFile, what, extension string) {
		base := fmt.Sprintf("%03d_%s_%s", f.row, cmp.Or(identifier(f.at.ItemID), "item"), identifier(what))
		f.name = base + extension
		for n := 2; taken[f.name]; n++ {
			f.name = fmt.Sprintf("%s_%d%s", base, n, extension)
		}
		taken[f.name] = true
		files = append(files, f)
	}
	recorded, err := a.view.Recordings(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	for _, c := range recorded {
		f := mediaFile{objects: []string{c.Object}, row: c.Row, recorded: string(c.Kind), mediaType: c.MediaType, duration: c.Duration}
		if c.Row >= 1 && c.Row <= len(r.rows) { // the first row is the welcome
			f.at = r.rows[c.Row-1]
		}
		if c.Stage != recording.Ready {
			f.problem = "not playable: " + string(c.Stage)
		}
		add(f, string(c.Kind), path.Ext(c.Object))
	}
	uploads, err := a.view.Uploads(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	for _, u := range uploads {
		if u.Kind != recording.File || !u.Used || u.State != recording.Complete {
			continue
		}
		parts, err := a.view.UploadParts(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		f := mediaFile{recorded: string(u.Kind), mediaType: u.MediaType, original: u.Name}
		for _, part := range parts {
			f.objects = append(f.objects, u.Object(part.Name))
		}
		f.row, f.at = a.rowOf(r, u.ID)
		add(f, "file", extensionOf(u.Name))
	}
	return files, nil
}

// rowOf returns the row of the transcript whose answer names an upload.
func (a *archive) rowOf(r *record, uploadID string) (int, interview.Exchange) {
	for i := range r.visits {
		for _, answer := range r.visits[i].Answers {
			for _, id := range answer.Uploads {
				if id != uploadID {
					continue
				}
				for at, row := range r.rows {
					if row.ItemID == r.visits[i].ItemID && row.ConceptID == r.visits[i].ConceptID && !row.FollowUp {
						return at + 1, row
					}
				}
			}
		}
	}
	return 0, interview.Exchange{}
}

// extensionOf returns the extension of a name that a participant chose, if it is one that cannot do harm in the name of a file.
func extensionOf(name string) string {
	extension := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	if extension == "" || len(extension) > 8 || identifier(extension) != extension {
		return ""
	}
	return "." + extension
}
