package study

import (
	"errors"
	"regexp"
	"strconv"
	"time"

	"verbatim/internal/domain/org"
)

// Errors of lookups and of launching.
var (
	ErrNotFound     = errors.New("study not found")
	ErrBusy         = errors.New("the study is being updated")
	ErrConflict     = errors.New("the study was edited meanwhile")
	ErrOtherWallet  = errors.New("the study is live and billed to another wallet")
	ErrLaunchDenied = errors.New("no permission to launch the study")
	ErrNotLaunched  = errors.New("the study is a draft: it has not been launched yet")
	ErrPaused       = errors.New("the study is paused")
	ErrClosed       = errors.New("the study is closed")
	ErrLinkTaken    = errors.New("the link id is taken")
	ErrNoFolder     = errors.New("there is no such folder")
)

// TrashFor is the time that a study stays in the trash before it is deleted for ever.
const TrashFor = 30 * 24 * time.Hour

// Status is a study's status.
type Status string

// The statuses of the contract, and two that only operators set: a paused study was live and will take participants again, and a
// closed one takes none any more.
const (
	Draft  Status = "draft"
	Live   Status = "live"
	Paused Status = "paused"
	Closed Status = "closed"
)

// Study is one research project. Its guide is stored separately, by revision.
type Study struct {
	ID                string // UUID, never changes
	OrgID             string
	LinkID            string // the current one
	Title             string
	Status            Status
	Revision          int      // the latest, editable one
	PublishedRevision int      // the revision that participants get; 0 before launch
	CreatorID         string   // empty when unknown
	FolderPath        []string // nil when in no folder
	WalletID          string   // billed wallet; empty without wallet billing
	CompletedCount    int      // completed responses that are neither hidden nor deleted
	CreatedAt         time.Time
	UpdatedAt         time.Time
	LaunchedAt        time.Time // zero before launch
}

// Tag identifies the content of one representation of the latest revision, for an ETag: neither a revision nor its
// representation in a form ever changes.
func (s Study) Tag(form string) string { return form + "-" + s.ID + "-" + strconv.Itoa(s.Revision) }

// Creator is the user who made a study, for lists. Both fields may be empty.
type Creator struct {
	Name  string
	Email string
}

// Listed is a study with the additional data of a list.
type Listed struct {
	Study
	Creator *Creator // nil when unknown
}

// MayLaunch implements the StartRecruitment permission: admins and supervisors have it on every study of the organization,
// the creator on their own studies, others by a grant on the study. Nobody who is not a member has it.
func MayLaunch(s Study, c org.Caller, granted bool) bool {
	return c.IsMember() && (c.Role.LaunchesAny() || granted || s.CreatorID != "" && s.CreatorID == c.UserID)
}

const (
	linkLength   = 8
	linkAlphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz" // no 0 O 1 l I o
)

// LinkIDBytes is the number of random bytes that NewLinkID needs.
const LinkIDBytes = linkLength * 4

// NewLinkID returns a link id made from LinkIDBytes random bytes: 8 letters and digits without look-alikes.
func NewLinkID(random []byte) string {
	id := make([]byte, linkLength)
	for i := range id {
		b := random[4*i : 4*i+4]
		n := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
		id[i] = linkAlphabet[n%uint32(len(linkAlphabet))] // the bias of 2^32 mod 56 is below one in 10^7
	}
	return string(id)
}

var (
	slug      = regexp.MustCompile(`^[a-zA-Z0-9-]{3,64}$`)
	uuidShape = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
)

// IsUUID reports whether s has the form of a UUID, the only form in which ids of studies and responses are accepted.
func IsUUID(s string) bool { return uuidShape.MatchString(s) }

// ValidLinkID reports whether s may be a link id: a slug of 3 to 64 characters that does not look like a UUID.
func ValidLinkID(s string) bool { return slug.MatchString(s) && !IsUUID(s) }
