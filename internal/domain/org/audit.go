package org

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// AuditEntry is one line of an organization's audit log. Entries are only added.
type AuditEntry struct {
	OrgID   string
	Seq     int // 1, 2, ... within the organization
	At      time.Time
	UserID  string // who did it; empty: the operator
	Action  string // for example person.invited
	Subject string // to what or whom; people and invitations by their ids
	Detail  map[string]string

	Hash string // covers this entry and, by the hash before, all earlier ones
}

// NamedAuditEntry is an entry with the names of whoever did it, and of whom it was done to where the subject is the id of a person or of an
// invitation. The log itself has ids of people only, so names and mail addresses can be removed; they are empty then.
type NamedAuditEntry struct {
	AuditEntry
	UserName    string
	SubjectName string
}

// AuditFilter selects entries of an audit log. The zero value selects all.
type AuditFilter struct {
	UserID       string    // who did it
	ByOperator   bool      // only what the operator did, or the program by itself
	Action       string    // which
	Since, Until time.Time // at or after Since, before Until
}

// AuditMark names an entry by its number and hash; the zero value names none.
type AuditMark struct {
	Seq  int
	Hash string
}

// ParseAuditMark reads the form NUMBER:HASH in which verbatim audit verify prints one.
func ParseAuditMark(s string) (m AuditMark, err error) {
	number, hash, _ := strings.Cut(s, ":")
	m.Hash = hash
	if m.Seq, err = strconv.Atoi(number); err != nil || m.Seq < 1 || len(hash) != 2*sha256.Size {
		return AuditMark{}, fmt.Errorf("%q is not an entry of an audit log: write its number, a colon and its hash", s)
	}
	return m, nil
}

// AuditVerification is the result of a check of an audit log.
type AuditVerification struct {
	OrgID      string
	Entries    int    // the number of the last one
	Hash       string // of the last one
	Violations []string
}

// The actions of the audit log. Their names are stored for ever.
const (
	AuditSetUp           = "organization.set_up"
	AuditSignedIn        = "session.signed_in"
	AuditSignedOut       = "session.signed_out"
	AuditSignInFailed    = "session.failed"
	AuditSessionEnded    = "session.revoked"
	AuditConfirmed       = "session.confirmed"
	AuditPasskeyAdded    = "passkey.added"
	AuditPasskeyRenamed  = "passkey.renamed"
	AuditPasskeyRevoked  = "passkey.revoked"
	AuditPasswordChanged = "password.changed"
	AuditPasswordReset   = "password.reset"
	AuditResetLink       = "password.reset_link"
	AuditResetAsked      = "password.reset_asked"
	AuditTwoStepOn       = "two_step.on"
	AuditTwoStepOff      = "two_step.off"
	AuditTwoStepRemoved  = "two_step.removed"
	AuditRecoveryCodes   = "two_step.recovery_codes"
	AuditInvited         = "person.invited"
	AuditUninvited       = "person.invitation_withdrawn"
	AuditJoined          = "person.joined"
	AuditRoleChanged     = "person.role_changed"
	AuditRemoved         = "person.removed"
	AuditKeyCreated      = "key.created"
	AuditKeyRevoked      = "key.revoked"
	AuditHidden          = "responses.hidden"
	AuditShown           = "responses.shown"
	AuditDeleted         = "responses.deleted"
	AuditQualityJudged   = "response.quality_judged"
	AuditQualityUnjudged = "response.quality_judgement_removed"
	AuditExported        = "responses.exported"
	AuditExportRead      = "export.downloaded"
	AuditExportRemoved   = "export.removed"
	AuditStudyCreated    = "study.created"
	AuditStudyChanged    = "study.changed"
	AuditStudyTrashed    = "study.trashed"
	AuditStudyRestored   = "study.restored"
	AuditStudyPurged     = "study.deleted"
	AuditGuideRestored   = "study.version_restored"
	AuditLaunched        = "study.launched"
	AuditPublished       = "study.published"
	AuditClosed          = "study.closed"

	AuditWebhookCreated    = "webhook.created"
	AuditWebhookChanged    = "webhook.changed"
	AuditWebhookRotated    = "webhook.secret_rotated"
	AuditWebhookDeleted    = "webhook.deleted"
	AuditWebhookTested     = "webhook.tested"
	AuditWebhookReplayed   = "webhook.replayed"
	AuditWebhookDisabled   = "webhook.disabled" // by the program
	AuditAnnotated         = "response.annotated"
	AuditAnnotationChanged = "response.annotation_changed"
	AuditAnnotationRemoved = "response.annotation_removed"
	AuditCorrected         = "response.corrected"
	AuditCorrectionUndone  = "response.correction_undone"
	AuditReanalysed        = "response.analysis_requested"
	AuditTagCreated        = "tag.created"
	AuditTagChanged        = "tag.changed"
	AuditTagRemoved        = "tag.removed"
	AuditOrgChanged        = "organization.changed"
	AuditPlayed            = "recording.played"
	AuditLogExported       = "audit.exported"
	AuditKeyChanged        = "key.changed"
	AuditPersonAdded       = "person.added"
	AuditStudyGranted      = "study.granted"
	AuditStudyRevoked      = "study.grant_revoked"
	AuditWalletGranted     = "wallet.granted"
	AuditDeposited         = "wallet.deposited"
	AuditWithdrawn         = "wallet.withdrawn"
	AuditInstanceAdmin     = "person.instance_admin"
	AuditNoInstanceAdmin   = "person.instance_admin_ended"

	AuditRetentionChanged = "retention.changed"
	AuditRetentionRemoved = "retention.removed"
	AuditRetentionDeleted = "retention.deleted"
	AuditMediaUploaded    = "media.uploaded"
	AuditMediaRemoved     = "media.removed"
	AuditTranslationSent  = "translation.requested"
	AuditTranslated       = "translation.approved"
	AuditFolderMade       = "folder.created"
	AuditFolderRenamed    = "folder.renamed"
	AuditFolderRemoved    = "folder.removed"
	AuditGranted          = "study.granted"
	AuditGrantEnded       = "study.grant_ended"
	AuditPaused           = "study.paused"
	AuditReopened         = "study.reopened"

	AuditPanelSecretSet     = "panel.secret_set"
	AuditPanelSecretRemoved = "panel.secret_removed"
	AuditPostbacksRetried   = "panel.postbacks_retried"
	AuditPanelLinksMade     = "panel.links_made"
	AuditPreviewLinkMade    = "study.preview_link_made"
)

// maxReportedViolations bounds what a check of a chain reports.
const maxReportedViolations = 20

// ChainHash returns the hash of the entry after one with the hash before; before is empty for the first entry.
func (e AuditEntry) ChainHash(before string) string {
	var message []byte
	add := func(part string) {
		message = binary.BigEndian.AppendUint64(message, uint64(len(part))) // keeps ("a", "bc") and ("ab", "c") apart
		message = append(message, part...)
	}
	for _, part := range []string{before, e.OrgID, fmt.Sprint(e.Seq), fmt.Sprint(e.At.UnixMicro()), e.UserID, e.Action, e.Subject} {
		add(part)
	}
	for _, key := range slices.Sorted(maps.Keys(e.Detail)) {
		add(key)
		add(e.Detail[key])
	}
	sum := sha256.Sum256(message)
	return hex.EncodeToString(sum[:])
}

// AuditChain checks the entries of an organization in the order of their numbers.
type AuditChain struct {
	OrgID      string
	Known      AuditMark // must be one of the entries, unless it is zero
	Violations []string

	last  int
	hash  string
	found bool // the known entry
}

// Add checks that an entry follows those before.
func (c *AuditChain) Add(e AuditEntry) {
	if len(c.Violations) < maxReportedViolations {
		switch want := e.ChainHash(c.hash); {
		case e.Seq != c.last+1:
			c.report("the audit log of organization %s has no entry %d", c.OrgID, c.last+1)
		case e.Hash != want:
			c.report("entry %d of the audit log of organization %s, or one before it, was changed", e.Seq, c.OrgID)
		}
	}
	c.found = c.found || c.Known == AuditMark{e.Seq, e.Hash}
	c.last, c.hash = e.Seq, e.Hash
}

// End checks that no entry is missing at the end: the last one has this number and hash.
func (c *AuditChain) End(last int, hash string) {
	if c.last != last || c.hash != hash {
		c.report("the audit log of organization %s ends with entry %d, and %d were written", c.OrgID, c.last, last)
	}
	if !c.found && c.Known != (AuditMark{}) {
		c.report("the audit log of organization %s has no entry %d with the known hash: it was written again", c.OrgID, c.Known.Seq)
	}
}

func (c *AuditChain) report(format string, args ...any) {
	c.Violations = append(c.Violations, fmt.Sprintf(format, args...))
}
