package store

import (
	"context"
	"fmt"
	"strings"

	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/domain/webhook"
)

// enum is a column that holds one of a closed set of values. The engines do not check it (docs/decisions/2026-11-22-enum-columns.md says
// why); AuditEnums does.
type enum struct {
	table, column string
	typeName      string // of the values in Go
	values        []string
}

func enumOf[T ~string](table, column string, values ...T) enum {
	e := enum{table: table, column: column, typeName: fmt.Sprintf("%T", *new(T))}
	for _, v := range values {
		e.values = append(e.values, string(v))
	}
	return e
}

// enums lists every such column. enums_test.go compares the values with the constants of their types, and the columns with the
// migrations.
var enums = []enum{
	enumOf("member", "role", org.Admin, org.Supervisor, org.Member),
	enumOf("study_grant", "permission", org.StartRecruitment),
	enumOf("ledger_account", "kind", wallet.Recruitment, wallet.Project),
	enumOf("ledger_account", "role", wallet.Funding, wallet.Available, wallet.Held, wallet.Spent),
	enumOf("ledger_transfer", "kind", wallet.Recruitment, wallet.Project),
	enumOf("ledger_transfer", "reason", wallet.Deposit, wallet.Withdraw, wallet.Hold, wallet.Settle, wallet.Release),
	enumOf("hold", "state", "active", "settled", "released"),
	enumOf("study", "status", study.Draft, study.Live, study.Paused, study.Closed),
	enumOf("quota_place", "state", PlaceInProgress, PlaceComplete, PlaceTurnedAway),
	enumOf("response", "progress", response.InProgress, response.Complete, response.ScreenedOut),
	enumOf("deletion", "status", response.DeletionQueued, response.DeletionRunning, response.DeletionCompleted, response.DeletionFailed),
	enumOf("turn", "kind", interview.TurnAnswer, interview.TurnContinue, interview.TurnProbe, interview.TurnDecline, interview.TurnReply),
	enumOf("decision", "kind", "", interview.Clarifying, interview.Descriptive, interview.Idiographic, interview.Explanatory),
	enumOf("job", "state", "ready", "running", "dead"),
	enumOf("upload", "kind", recording.Audio, recording.Video, recording.ScreenVideo, recording.File),
	enumOf("upload", "state", recording.Open, recording.Complete, recording.Ended),
	enumOf("recording", "kind", recording.Audio, recording.Video, recording.ScreenVideo),
	enumOf("recording", "stage", recording.Waiting, recording.Queued, recording.Ready, recording.Failed),
	enumOf("one_time_token", "kind", org.SetUpToken, org.InvitationToken, org.ResetToken, org.SignInToken),
	enumOf("one_time_token", "role", "", org.Admin, org.Supervisor, org.Member),
	enumOf("study_report", "status", ReportQueued, ReportRunning, ReportComplete, ReportFailed),
	enumOf("panel_delivery", "state", DeliveryWaiting, DeliveryDelivered, DeliveryFailed),
	enumOf("webhook_endpoint", "status", webhook.Enabled, webhook.Disabled, webhook.Failing),
	enumOf("webhook_delivery", "state", DeliveryWaiting, DeliveryDelivered, DeliveryFailed),
	enumOf("study_export", "status", ExportQueued, ExportRunning, ExportComplete, ExportFailed, ExportRemoved),
	enumOf("guide_media", "kind", guidemedia.Unknown, guidemedia.Image, guidemedia.Film, guidemedia.Captions),
	enumOf("guide_media", "stage", guidemedia.Uploading, guidemedia.Queued, guidemedia.Ready, guidemedia.Failed),
	enumOf("mail", "kind", MailInvitation, MailReset, MailResetAsked),
	enumOf("mail", "state", MailWaiting, MailSent, MailFailed),
	enumOf("usage_total", "scope", usageInterview, usageStudy, usageDay),
	enumOf("speech_total", "scope", usageInterview, usageStudy, usageDay),
}

// AuditEnums finds values in the columns of enums that this program does not know.
func (v *View) AuditEnums(ctx context.Context) (violations []string, err error) {
	for _, e := range enums {
		known := "'" + strings.Join(e.values, "', '") + "'" // constants without quotation marks
		found, err := v.collectTexts(ctx, fmt.Sprintf(`select distinct %[1]s
			from %[2]s
			where %[1]s not in (%[3]s)
			order by %[1]s
			limit %[4]d`, e.column, e.table, known, auditLimit))
		if err != nil {
			return nil, err
		}
		for _, value := range found {
			violations = append(violations, fmt.Sprintf("a row of %s has the %s %q, which this program does not know", e.table, e.column, value))
		}
	}
	return violations, nil
}
