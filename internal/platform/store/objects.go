package store

import (
	"context"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
)

// UploadObjects yields the names of the parts of the uploads that answers use, except for responses that are being deleted.
// An error ends it.
func (v *View) UploadObjects(ctx context.Context) iter.Seq2[string, error] {
	type part struct {
		upload recording.Upload
		seq    int64
		name   string
	}
	return func(yield func(string, error) bool) {
		const batch = 500
		for last := (part{seq: -1}); ; {
			page, err := collect(ctx, v, func(r scanner) (p part, err error) {
				return p, r.Scan(&p.upload.ID, &p.seq, &p.name, &p.upload.ResponseID)
			}, `select p.upload_id, p.seq, p.name, u.response_id
				from upload_part p
				join upload u on u.id = p.upload_id
				join response r on r.id = u.response_id
				where (p.upload_id, p.seq) > ($1, $2) and u.used and r.deleted_at is null
				order by p.upload_id, p.seq
				limit $3`, last.upload.ID, last.seq, batch)
			if err != nil {
				yield("", err)
				return
			}
			for _, p := range page {
				if !yield(p.upload.Object(p.name), nil) {
					return
				}
				last = p
			}
			if len(page) < batch {
				return
			}
		}
	}
}

// StrayObjects returns which of the objects below the folders of uploads and recordings have no owner: no upload or recording
// has their id, or their upload does not list them as a part, or they lie outside the folder that their recording is played
// from. An object exists before its row names it, so the caller must leave out young objects.
func (v *View) StrayObjects(ctx context.Context, names []string) (strays []string, err error) {
	uploads, recordings := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		switch kind, id, _ := parseObjectName(name); kind {
		case "uploads":
			uploads[id] = true
		case "recordings":
			recordings[id] = true
		}
	}
	named, err := v.partNames(ctx, slices.Collect(maps.Keys(uploads)))
	if err != nil {
		return nil, err
	}
	played, err := v.recordingFolders(ctx, slices.Collect(maps.Keys(recordings)))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		kind, id, rest := parseObjectName(name)
		folder, made := played[id]
		if kind == "uploads" && !named[id+"/"+rest] || kind == "recordings" && (!made || !strings.HasPrefix(name, folder)) {
			strays = append(strays, name)
		}
	}
	return strays, nil
}

// parseObjectName splits an object's name into the kind and the id of what it belongs to, and the rest.
func parseObjectName(name string) (kind, id, rest string) {
	words := strings.SplitN(strings.TrimPrefix(name, response.Objects), "/", 4)
	if len(words) < 4 || !strings.HasPrefix(name, response.Objects) {
		return "", "", ""
	}
	return words[1], words[2], words[3]
}

// partNames returns the parts of uploads, each as id/name.
func (v *View) partNames(ctx context.Context, ids []string) (map[string]bool, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := collect(ctx, v, func(r scanner) (s string, err error) { return s, r.Scan(&s) },
		`select upload_id || '/' || name from upload_part where upload_id in `+v.d.placeholders(1, len(ids)), anySlice(ids)...)
	named := make(map[string]bool, len(all))
	for _, s := range all {
		named[s] = true
	}
	return named, err
}

// recordingFolders returns the folder, with a slash at its end, that each recording is played from; for one that is not ready
// yet, the folder of all that is being made. One that failed has none.
func (v *View) recordingFolders(ctx context.Context, ids []string) (map[string]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := collect(ctx, v, scanRecording, selectRecording+`where recording.id in `+v.d.placeholders(1, len(ids)), anySlice(ids)...)
	folders := make(map[string]string, len(all))
	for _, c := range all {
		switch c.Stage {
		case recording.Ready:
			folders[c.ID] = path.Dir(c.Object) + "/"
		case recording.Waiting, recording.Queued:
			folders[c.ID] = c.Folder()
		}
	}
	return folders, err
}
