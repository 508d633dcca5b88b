package org

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"
)

// AuditEntry is one line of an organization's audit log. Entries are only added.
type AuditEntry struct {
	OrgID   string
	Seq     int // 1, 2, ... within the organization
	At      time.Time
	UserID  string // who did it; empty: the operator
	Action  string // for example person.invited
	Subject string // to what or whom
	Detail  map[string]string

	Hash string // covers this entry and, by the hash before, all earlier ones
}

// NamedAuditEntry is an entry with the name of whoever did it; the name is empty if the person is unknown.
type NamedAuditEntry struct {
	AuditEntry
	UserName string
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

// AuditChain checks entries in the order of their numbers. Its zero value is ready for use, for one organization.
type AuditChain struct {
	last       int
	hash       string
	Violations []string
}

// Add checks that an entry follows those before.
func (c *AuditChain) Add(e AuditEntry) {
	if len(c.Violations) < maxReportedViolations {
		switch want := e.ChainHash(c.hash); {
		case e.Seq != c.last+1:
			c.report("the audit log of organization %s has no entry %d", e.OrgID, c.last+1)
		case e.Hash != want:
			c.report("entry %d of the audit log of organization %s, or one before it, was changed", e.Seq, e.OrgID)
		}
	}
	c.last, c.hash = e.Seq, e.Hash
}

// End checks that no entry is missing at the end: the last one has this number and hash.
func (c *AuditChain) End(orgID string, last int, hash string) {
	if c.last != last || c.hash != hash {
		c.report("the audit log of organization %s ends with entry %d, and %d were written", orgID, c.last, last)
	}
}

func (c *AuditChain) report(format string, args ...any) {
	c.Violations = append(c.Violations, fmt.Sprintf(format, args...))
}
