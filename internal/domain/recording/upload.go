package recording

import (
	"errors"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/domain/response"
)

// Errors about uploads, besides response.ErrGone.
var (
	ErrNotFound = errors.New("upload not found")
	ErrGone     = errors.New("the upload was terminated, or has expired")
	ErrOffset   = errors.New("the upload stands at another offset")
	ErrLength   = errors.New("the length of the upload is known already, or shorter than what has arrived")
	ErrQuota    = errors.New("the interview has no room for another upload")
	ErrTooLarge = errors.New("the upload is larger than its kind may be")
	ErrType     = errors.New("the content is of no type that the upload may have")
	ErrUsed     = errors.New("an answer names the upload")
	ErrEnded    = errors.New("the interview has ended")
	ErrLocked   = errors.New("another request adds to the upload")
	ErrStorage  = errors.New("there is no room for uploads: the quota of the study or of the installation, or the disk, is used up")
	ErrTooMany  = errors.New("too many uploads of the interview are not complete")

	ErrIncomplete = errors.New("the upload is not complete")
)

// Kind is the purpose of an upload.
type Kind string

// The kinds. All except files are recorded while answering.
const (
	Audio       Kind = "audio"
	Video       Kind = "video"
	ScreenVideo Kind = "screenVideo"
	File        Kind = "file"
)

// Valid reports whether the kind is one of those above.
func (k Kind) Valid() bool { return k == Audio || k == Video || k == ScreenVideo || k == File }

// State is the state of an upload.
type State string

// The states. An upload that ended has no bytes, and answers cannot refer to it.
const (
	Open     State = "open"
	Complete State = "complete"
	Ended    State = "ended"
)

// Unknown is the size of an upload whose sender does not know it yet.
const Unknown = -1

// Upload is an incoming file, or one session of a recorder. Its bytes are the objects of its parts, in order.
type Upload struct {
	ID         string // UUID, version 7
	OrgID      string
	ResponseID string
	Kind       Kind
	StepID     string // the step of the interview that it belongs to
	Name       string // of the file, for display; see CleanName
	MediaType  string // found in the content; empty until enough bytes have arrived
	Head       []byte // the first bytes, while MediaType is empty
	Metadata   string // sent by the client, in its own form
	Size       int64  // bytes, or Unknown
	Received   int64  // bytes
	Parts      int
	State      State
	Used       bool // an answer refers to it, or to another session of its recording
	CreatedAt  time.Time
	ExpiresAt  time.Time // when it ends if no more bytes arrive and no answer refers to it
	Allotted   int64     // bytes that it counts for in the quotas, at least Charge()
}

const (
	// AllotStep is the maximum number of bytes that stay allotted between two requests to an upload of unknown size, so that
	// not every request of a recorder has to update the sums of its study.
	AllotStep = 1 << 20
	// A part takes at least a block of the disk. The first freeParts parts of an upload, and parts that fill a block on
	// average, are charged by their bytes only.
	block     = 4 << 10
	freeParts = 64
)

// Charge returns how many bytes an upload counts for in the quotas: those that have arrived, plus a block for each part
// beyond those that its bytes would fill. An announced size is not charged: otherwise announcements alone could fill a
// quota. An upload that ended counts for 0.
func (u *Upload) Charge() int64 {
	if u.State == Ended {
		return 0
	}
	return u.Received + block*max(0, int64(u.Parts)-freeParts-u.Received/block)
}

// Ahead returns how many bytes may be allotted ahead of those that arrived: as many again, within two bounds. So nobody
// blocks much more space than they fill.
func Ahead(arrived, least, limit int64) int64 { return min(max(arrived, least), limit) }

// Keeps returns how many of its allotted bytes an upload keeps when a request ends: what was allotted ahead stays for the
// next request while the size is unknown.
func (u *Upload) Keeps(allotted int64) int64 {
	keeps := u.Charge()
	if u.State == Open && u.Size == Unknown {
		keeps = max(keeps, min(allotted, u.Received+Ahead(u.Received, 0, AllotStep)))
	}
	return keeps
}

// Part is the stored body of one request to an upload.
type Part struct {
	Name string // unique within the upload
	Size int64  // bytes
}

// Folder returns the prefix of the names of the upload's objects.
func (u *Upload) Folder() string { return response.Objects + u.ResponseID + "/uploads/" + u.ID + "/" }

// Object returns the name of a part's object.
func (u *Upload) Object(part string) string { return u.Folder() + part }

// Limits bound what participants may send.
type Limits struct {
	Audio, Video, ScreenVideo, File int64 // bytes of one upload

	Bytes        int64 // of all uploads of one interview
	Study        int64 // of all uploads of one study; 0: no limit
	Installation int64 // of all uploads; 0: no limit

	Uploads  int           // of one interview
	Open     int           // of one interview, incomplete at the same time; 0: no limit
	Parts    int           // of one upload
	Lifetime time.Duration // of an upload that receives no more bytes and that no answer refers to
}

// Defaults are the default limits of the service.
var Defaults = Limits{
	Audio: 256 << 20, Video: 2 << 30, ScreenVideo: 2 << 30, File: 100 << 20,
	Bytes: 8 << 30, Study: 256 << 30, Installation: 1 << 40, Uploads: 500, Open: 200, Parts: 20_000, Lifetime: 24 * time.Hour,
}

// Of returns how many bytes an upload of a kind may have.
func (l *Limits) Of(k Kind) int64 {
	switch k {
	case Audio:
		return l.Audio
	case Video:
		return l.Video
	case ScreenVideo:
		return l.ScreenVideo
	case File:
		return l.File
	}
	return 0
}

// Largest returns how many bytes an upload of any kind may have.
func (l *Limits) Largest() int64 { return max(l.Audio, l.Video, l.ScreenVideo, l.File) }

// maxName is the maximum length of a file's name, in characters; the rest is cut off.
const maxName = 120

// CleanName makes a file name from a client safe to show and store: its last part, without invisible characters, at most 120
// characters; "file" if nothing is left.
func CleanName(name string) string {
	name = strings.ReplaceAll(strings.ToValidUTF8(name, ""), "\\", "/")
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || unicode.Is(unicode.Zs, r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1 // control characters, and marks that change the text direction
		}
		return r
	}, path.Base(name))
	name = strings.Join(strings.Fields(name), " ")
	if name == "" || strings.Trim(name, "./") == "" {
		return "file"
	}
	if utf8.RuneCountInString(name) <= maxName {
		return name
	}
	ending := []rune(path.Ext(name))
	if len(ending) > 12 {
		ending = nil
	}
	return string([]rune(name)[:maxName-len(ending)]) + string(ending)
}
