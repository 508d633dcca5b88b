package guidemedia

import (
	"errors"
	"regexp"
	"strings"
	"time"
)

// Kind names what a file is.
type Kind string

// The kinds. Unknown is that of an upload of which nothing has arrived.
const (
	Unknown  Kind = ""
	Image    Kind = "image"
	Film     Kind = "video"
	Captions Kind = "captions"
)

// Stage names the progress of a file.
type Stage string

// The stages.
const (
	Uploading Stage = "uploading"
	Queued    Stage = "queued" // a film that waits to be encoded, or is
	Ready     Stage = "ready"
	Failed    Stage = "failed"
)

// The largest files that are taken, in bytes, and what an organization may have in all.
const (
	MaxImage    = 30 << 20
	MaxFilm     = 512 << 20
	MaxCaptions = 1 << 20
	MaxTotal    = 20 << 30
)

// How long what no guide names is kept: an upload that was not completed or failed, and a file that was in use or could be.
const (
	KeepIncomplete = 24 * time.Hour
	KeepUnused     = 7 * 24 * time.Hour
)

// Errors of uploads.
var (
	ErrNotFound = errors.New("there is no such file")
	ErrOffset   = errors.New("the bytes do not begin where the upload ends")
	ErrTooLarge = errors.New("the file is too large")
	ErrFull     = errors.New("the organization has no room for more files")
	ErrComplete = errors.New("the file is complete")
)

// Media is a file that was uploaded for the guides of an organization.
type Media struct {
	ID, OrgID, StudyID string // the study is where it was uploaded
	UserID             string
	Kind               Kind
	Stage              Stage
	Name               string // as the uploader's system has it
	Size, Received     int64  // bytes: announced, and arrived
	Parts              int
	File               string // its name in its folder; empty until it is ready
	Stored             int64  // bytes that are kept
	Width, Height      int    // of an image, in pixels
	Duration           time.Duration
	Problem            string // why it failed, for the uploader
	CreatedAt, UsedAt  time.Time
}

// Objects is the prefix of the names of all objects, and Path that of all addresses.
const (
	Objects = "media/"
	Path    = "/media/"
)

// Folder returns the prefix of the names of the file's objects.
func (m *Media) Folder() string { return Objects + m.OrgID + "/" + m.ID + "/" }

// PartFolder returns the prefix of the names of the objects that arrive.
func (m *Media) PartFolder() string { return m.Folder() + "parts/" }

// Address returns where participants get the file, or "" until it is ready. base is the public address of the service.
func (m *Media) Address(base string) string {
	if m.File == "" {
		return ""
	}
	return base + Path + m.OrgID + "/" + m.ID + "/" + m.File
}

// The files of a folder.
const (
	JPEG        = "image.jpg"
	PNG         = "image.png"
	GIF         = "image.gif"
	MP4         = "film.mp4"
	Poster      = "poster.jpg"
	CaptionFile = "captions.vtt"
)

var fileTypes = map[string]string{
	JPEG: "image/jpeg", PNG: "image/png", GIF: "image/gif", MP4: "video/mp4", Poster: "image/jpeg", CaptionFile: "text/vtt; charset=utf-8",
}

// FileType returns the media type of a file by its name, or "" for any other name.
func FileType(file string) string { return fileTypes[file] }

var (
	orgID   = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	mediaID = regexp.MustCompile(`^[0-9a-f]{32}$`)
	inGuide = regexp.MustCompile(`/media/[0-9a-f-]{36}/([0-9a-f]{32})/`)
)

// ObjectOf returns the name of the object behind the parts of an address, or "" if there cannot be one.
func ObjectOf(org, id, file string) string {
	if !orgID.MatchString(org) || !mediaID.MatchString(id) || FileType(file) == "" {
		return ""
	}
	return Objects + org + "/" + id + "/" + file
}

// IsID reports whether text has the form of an id.
func IsID(text string) bool { return mediaID.MatchString(text) }

// IDsIn returns the ids of the files whose addresses an encoded guide has, whatever the host.
func IDsIn(guide string) (ids []string) {
	if !strings.Contains(guide, Path) {
		return nil
	}
	seen := map[string]bool{}
	for _, found := range inGuide.FindAllStringSubmatch(guide, -1) {
		if !seen[found[1]] {
			seen[found[1]] = true
			ids = append(ids, found[1])
		}
	}
	return ids
}
