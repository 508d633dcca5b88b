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

// Errors about uploads, beside response.ErrGone.
var (
	ErrNotFound = errors.New("upload not found")
	ErrGone     = errors.New("the upload was terminated, or has expired")
	ErrMoved    = errors.New("the upload stands at another offset")
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

// Kind says what an upload is for.
type Kind string

// The kinds. All but files are recorded while answering.
const (
	Audio       Kind = "audio"
	Video       Kind = "video"
	ScreenVideo Kind = "screenVideo"
	File        Kind = "file"
)

// Valid tells whether the kind is one of those above.
func (k Kind) Valid() bool { return k == Audio || k == Video || k == ScreenVideo || k == File }

// State is how far an upload is.
type State string

// The states. An upload that ended has no bytes, and answers cannot name it.
const (
	Open     State = "open"
	Complete State = "complete"
	Ended    State = "ended"
)

// Unknown is the size of an upload that its sender does not know yet.
const Unknown = -1

// Upload is one file on its way in, or one session of a recorder. Its bytes are the objects of its parts, in order.
type Upload struct {
	ID         string // UUID, version 7
	OrgID      string
	ResponseID string
	Kind       Kind
	StepID     string // the step of the interview that it belongs to
	Name       string // of the file, for people; see CleanName
	MediaType  string // found in the content; empty until enough of it has arrived
	Head       []byte // the first bytes, as long as MediaType is empty
	Metadata   string // what the sender said of it, in its own form
	Size       int64  // bytes, or Unknown
	Received   int64  // bytes
	Parts      int
	State      State
	Used       bool // an answer names it, or another session of its recording
	CreatedAt  time.Time
	ExpiresAt  time.Time // when it ends if no more of it arrives, and no answer names it
	Allotted   int64     // bytes that it counts for in the quotas, at least Charge
}

const (
	// AllotStep is the most bytes that stay allotted between two requests to an upload whose size is not known, so that not
	// every request of a recorder has to change the sums of its study.
	AllotStep = 1 << 20
	// A part takes at least a block of the disk. The first freeParts of an upload, and those that bring a block on average,
	// are not counted for more than their bytes.
	block     = 4 << 10
	freeParts = 64
)

// Charge is how many bytes an upload counts for in the quotas: those that have arrived, and a block for each part beyond those
// that its bytes would fill. A size that was announced counts for nothing: words alone must not fill a quota. An upload that
// ended counts for none.
func (u *Upload) Charge() int64 {
	if u.State == Ended {
		return 0
	}
	return u.Received + block*max(0, int64(u.Parts)-freeParts-u.Received/block)
}

// Ahead returns how many bytes may be allotted ahead of those that arrived: as many again, within two bounds. So nobody keeps
// others from much more room than they fill.
func Ahead(arrived, least, limit int64) int64 { return min(max(arrived, least), limit) }

// Keeps is how many of the bytes that it was allotted an upload keeps when a request ends: what was allotted ahead stays for the
// next request, as long as the size is not known.
func (u *Upload) Keeps(allotted int64) int64 {
	keeps := u.Charge()
	if u.State == Open && u.Size == Unknown {
		keeps = max(keeps, min(allotted, u.Received+Ahead(u.Received, 0, AllotStep)))
	}
	return keeps
}

// Part is one piece of an upload: what one request brought.
type Part struct {
	Name string // unique within the upload
	Size int64  // bytes
}

// Folder is how the names of the upload's objects begin.
func (u *Upload) Folder() string { return response.Objects + u.ResponseID + "/uploads/" + u.ID + "/" }

// Object is the name of a part's object.
func (u *Upload) Object(part string) string { return u.Folder() + part }

// Limits bound what participants may send.
type Limits struct {
	Audio, Video, ScreenVideo, File int64 // bytes of one upload

	Bytes        int64 // of all uploads of one interview
	Study        int64 // of all uploads of one study; 0: no limit
	Installation int64 // of all uploads; 0: no limit

	Uploads  int           // of one interview
	Open     int           // of one interview that are not complete, at once; 0: no limit
	Parts    int           // of one upload
	Lifetime time.Duration // of an upload that gets no more bytes and that no answer names
}

// Defaults are the limits of the service.
var Defaults = Limits{
	Audio: 256 << 20, Video: 2 << 30, ScreenVideo: 2 << 30, File: 100 << 20,
	Bytes: 8 << 30, Study: 256 << 30, Installation: 1 << 40, Uploads: 500, Open: 200, Parts: 20_000, Lifetime: 24 * time.Hour,
}

// Of is how many bytes an upload of a kind may have.
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

// Largest is how many bytes an upload of any kind may have.
func (l *Limits) Largest() int64 { return max(l.Audio, l.Video, l.ScreenVideo, l.File) }

// maxName is how many characters a file's name keeps.
const maxName = 120

// CleanName makes a name that is fit to be shown and stored of what a sender calls a file: its last part, without what
// cannot be seen, at most 120 characters; "file" when nothing is left.
func CleanName(name string) string {
	name = strings.ReplaceAll(strings.ToValidUTF8(name, ""), "\\", "/")
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || unicode.Is(unicode.Zs, r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1 // controls, and marks that turn the direction of a text
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
