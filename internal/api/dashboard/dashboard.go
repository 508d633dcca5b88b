package dashboard

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/annotation"
	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/guidemedia"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/domain/webhook"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/service/access"
	"verbatim/internal/service/asking"
	"verbatim/internal/service/auditlog"
	"verbatim/internal/service/authoring"
	"verbatim/internal/service/billing"
	"verbatim/internal/service/exporting"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/instance"
	"verbatim/internal/service/mailing"
	"verbatim/internal/service/mediaupload"
	"verbatim/internal/service/panels"
	"verbatim/internal/service/reporting"
	"verbatim/internal/service/retention"
	"verbatim/internal/service/review"
	"verbatim/internal/service/signin"
	"verbatim/internal/service/translator"
	"verbatim/internal/service/webhooks"
)

// API serves the dashboard. Share one value.
type API struct {
	SignIn     *signin.Service
	AuditLog   *auditlog.Service
	Billing    *billing.Service
	Instance   *instance.Service
	Retention  *retention.Service
	Access     *access.Service
	Review     *review.Service
	Reports    *reporting.Service
	Asking     *asking.Service
	Exports    *exporting.Service
	Authoring  *authoring.Service
	Fieldwork  *fieldwork.Service
	Panels     *panels.Service
	Media      *mediaupload.Service
	Translator *translator.Service
	Webhooks   *webhooks.Service
	App        fs.FS // the built app; empty or nil: the pages say that there is none
	BaseURL    string
	Cookie     Cookie
	Log        *slog.Logger

	Processors fieldwork.Processors // services that participants are told of

	page []byte // the HTML document; nil without the app
}

// role names who may call an operation.
type role string

// The roles that operations need, each with what it includes. Three are those of package org.
const (
	nobody        role = "nobody" // also without a session
	person        role = "person" // with a session
	member        role = role(org.Member)
	supervisor    role = role(org.Supervisor)
	admin         role = role(org.Admin)
	instanceAdmin role = "instance" // an instance administrator, and where the address names an organization, an admin of it
)

// operation is one line of the table of operations.
type operation struct {
	pattern string // of http.ServeMux
	role    role
	own     bool // a member may, too, if the study is the member's own or granted
	handle  func(*API, *call) error
}

// operations is the table: who may call what. openapi/dashboard.yaml has the same in x-role and x-own-study.
var operations = []operation{
	{"GET /api/dashboard/session", person, false, (*API).getMe},
	{"POST /api/dashboard/session", nobody, false, (*API).signIn},
	{"DELETE /api/dashboard/session", nobody, false, (*API).signOut},
	{"GET /api/dashboard/sign-in", nobody, false, (*API).getSignInOptions},
	{"POST /api/dashboard/session/forgotten", nobody, false, (*API).askReset},
	{"POST /api/dashboard/session/password", person, false, (*API).changePassword},
	{"GET /api/dashboard/session/two-step", person, false, (*API).getTwoStep},
	{"POST /api/dashboard/session/two-step", person, false, (*API).startTwoStep},
	{"POST /api/dashboard/session/two-step/confirmation", person, false, (*API).confirmTwoStep},
	{"POST /api/dashboard/session/two-step/recovery-codes", person, false, (*API).replaceRecoveryCodes},
	{"POST /api/dashboard/session/two-step/end", person, false, (*API).stopTwoStep},
	{"GET /api/dashboard/session/confirmation", person, false, (*API).getProofs},
	{"POST /api/dashboard/session/confirmation", person, false, (*API).confirm},
	{"POST /api/dashboard/passkeys/challenge", nobody, false, (*API).askPasskey},
	{"POST /api/dashboard/passkeys/sign-in", nobody, false, (*API).signInByPasskey},
	{"GET /api/dashboard/session/passkeys", person, false, (*API).listPasskeys},
	{"POST /api/dashboard/session/passkeys/challenge", person, false, (*API).startPasskey},
	{"POST /api/dashboard/session/passkeys", person, false, (*API).addPasskey},
	{"PATCH /api/dashboard/session/passkeys/{passkeyId}", person, false, (*API).renamePasskey},
	{"DELETE /api/dashboard/session/passkeys/{passkeyId}", person, false, (*API).revokePasskey},
	{"GET /api/dashboard/session/list", person, false, (*API).listSessions},
	{"DELETE /api/dashboard/session/list/{sessionId}", person, false, (*API).endSession},
	{"POST /api/dashboard/tokens/check", nobody, false, (*API).checkToken},
	{"POST /api/dashboard/tokens/set-up", nobody, false, (*API).setUp},
	{"POST /api/dashboard/tokens/invitation", nobody, false, (*API).acceptInvitation},
	{"POST /api/dashboard/tokens/reset", nobody, false, (*API).resetPassword},
	{"POST /api/dashboard/tokens/sign-in", nobody, false, (*API).signInByLink},

	{"GET /api/dashboard/organizations/{orgId}/people", admin, false, (*API).listPeople},
	{"PATCH /api/dashboard/organizations/{orgId}/people/{userId}", admin, false, (*API).changeRole},
	{"DELETE /api/dashboard/organizations/{orgId}/people/{userId}", admin, false, (*API).removePerson},
	{"POST /api/dashboard/organizations/{orgId}/people/{userId}/reset", admin, false, (*API).createResetLink},
	{"DELETE /api/dashboard/organizations/{orgId}/people/{userId}/two-step", admin, false, (*API).removeTwoStep},
	{"POST /api/dashboard/organizations/{orgId}/invitations", admin, false, (*API).invite},
	{"DELETE /api/dashboard/organizations/{orgId}/invitations/{invitationId}", admin, false, (*API).withdrawInvitation},
	{"GET /api/dashboard/organizations/{orgId}/keys", supervisor, false, (*API).listKeys},
	{"POST /api/dashboard/organizations/{orgId}/keys", supervisor, false, (*API).createKey},
	{"PATCH /api/dashboard/organizations/{orgId}/keys/{keyId}", supervisor, false, (*API).changeKey},
	{"DELETE /api/dashboard/organizations/{orgId}/keys/{keyId}", supervisor, false, (*API).revokeKey},
	{"GET /api/dashboard/organizations/{orgId}/webhooks", supervisor, false, (*API).listWebhooks},
	{"POST /api/dashboard/organizations/{orgId}/webhooks", supervisor, false, (*API).createWebhook},
	{"GET /api/dashboard/organizations/{orgId}/webhooks/{webhookId}", supervisor, false, (*API).getWebhook},
	{"PATCH /api/dashboard/organizations/{orgId}/webhooks/{webhookId}", supervisor, false, (*API).changeWebhook},
	{"DELETE /api/dashboard/organizations/{orgId}/webhooks/{webhookId}", supervisor, false, (*API).deleteWebhook},
	{"POST /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/secret", supervisor, false, (*API).rotateWebhookSecret},
	{"POST /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/test", supervisor, false, (*API).testWebhook},
	{"POST /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/replay", supervisor, false, (*API).replayFailedWebhooks},
	{"GET /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/deliveries", supervisor, false, (*API).listWebhookDeliveries},
	{"POST /api/dashboard/organizations/{orgId}/webhooks/{webhookId}/deliveries/{eventId}/replay", supervisor, false, (*API).replayWebhookDelivery},
	{"GET /api/dashboard/organizations/{orgId}/audit", supervisor, false, (*API).listAudit},
	{"GET /api/dashboard/organizations/{orgId}/audit/file", supervisor, false, (*API).exportAudit},
	{"GET /api/dashboard/organizations/{orgId}/retention", admin, false, (*API).getRetention},
	{"PUT /api/dashboard/organizations/{orgId}/retention", admin, false, (*API).setRetention},
	{"POST /api/dashboard/organizations/{orgId}/retention/preview", admin, false, (*API).previewRetention},
	{"DELETE /api/dashboard/organizations/{orgId}/retention/studies/{ruleStudy}", admin, false, (*API).removeRetention},
	{"GET /api/dashboard/organizations/{orgId}/wallets", admin, false, (*API).listWallets},
	{"GET /api/dashboard/organizations/{orgId}/wallets/{walletId}", admin, false, (*API).getLedger},
	{"POST /api/dashboard/organizations/{orgId}/wallets/{walletId}/deposits", instanceAdmin, false, (*API).topUp},
	{"GET /api/dashboard/organizations/{orgId}/studies", member, false, (*API).listStudies},

	{"POST /api/dashboard/organizations/{orgId}/studies", member, false, (*API).createStudy},
	{"GET /api/dashboard/organizations/{orgId}/folders", member, false, (*API).listFolders},
	{"POST /api/dashboard/organizations/{orgId}/folders", member, false, (*API).createFolder},
	{"PATCH /api/dashboard/organizations/{orgId}/folders", supervisor, false, (*API).renameFolder},
	{"DELETE /api/dashboard/organizations/{orgId}/folders", supervisor, false, (*API).removeFolder},
	{"GET /api/dashboard/organizations/{orgId}/trash", member, false, (*API).listTrash},
	{"POST /api/dashboard/trash/{studyRef}/restore", supervisor, true, (*API).restoreStudy},

	{"GET /api/dashboard/instance", instanceAdmin, false, (*API).getInstance},
	{"POST /api/dashboard/instance/parts/{part}/try", instanceAdmin, false, (*API).tryPart},

	{"GET /api/dashboard/templates", person, false, (*API).listTemplates},
	{"GET /api/dashboard/templates/{templateId}", person, false, (*API).getTemplate},
	{"POST /api/dashboard/outline", person, false, (*API).readOutline},
	{"GET /api/dashboard/studies/{studyRef}/draft", member, false, (*API).getDraft},
	{"PUT /api/dashboard/studies/{studyRef}/draft", supervisor, true, (*API).saveDraft},
	{"GET /api/dashboard/studies/{studyRef}/draft/versions", member, false, (*API).listVersions},
	{"GET /api/dashboard/studies/{studyRef}/draft/versions/{version}", member, false, (*API).getVersion},
	{"POST /api/dashboard/studies/{studyRef}/draft/versions/{version}/restore", supervisor, true, (*API).restoreVersion},
	{"GET /api/dashboard/studies/{studyRef}/draft/changes", member, false, (*API).listChanges},
	{"POST /api/dashboard/studies/{studyRef}/preview", member, false, (*API).previewStudy},
	{"GET /api/dashboard/studies/{studyRef}/grants", supervisor, false, (*API).listStudyMembers},
	{"PUT /api/dashboard/studies/{studyRef}/grants/{userId}", supervisor, false, (*API).grantStudy},
	{"DELETE /api/dashboard/studies/{studyRef}/grants/{userId}", supervisor, false, (*API).endGrant},
	{"POST /api/dashboard/studies/{studyRef}/presence", member, false, (*API).notePresence},
	{"GET /api/dashboard/studies/{studyRef}/media", member, false, (*API).listMedia},
	{"POST /api/dashboard/studies/{studyRef}/media", supervisor, true, (*API).beginMedia},
	{"GET /api/dashboard/studies/{studyRef}/media/{mediaId}", member, false, (*API).getMedia},
	{"PATCH /api/dashboard/studies/{studyRef}/media/{mediaId}", supervisor, true, (*API).appendMedia},
	{"DELETE /api/dashboard/studies/{studyRef}/media/{mediaId}", supervisor, true, (*API).cancelMedia},
	{"GET /api/dashboard/studies/{studyRef}/translations", member, false, (*API).listTranslations},
	{"GET /api/dashboard/studies/{studyRef}/translations/{language}", member, false, (*API).getTranslation},
	{"PATCH /api/dashboard/studies/{studyRef}/translations/{language}", supervisor, true, (*API).editTranslation},
	{"POST /api/dashboard/studies/{studyRef}/translations/{language}/approval", supervisor, true, (*API).approveTranslation},
	{"POST /api/dashboard/studies/{studyRef}/translations/{language}/machine", supervisor, true, (*API).askTranslation},
	{"GET /api/dashboard/studies/{studyRef}/launch-check", member, false, (*API).checkLaunch},
	{"POST /api/dashboard/studies/{studyRef}/launch", supervisor, true, (*API).launchStudy},
	{"POST /api/dashboard/studies/{studyRef}/close", supervisor, true, (*API).closeStudy},

	{"GET /api/dashboard/panel-presets", person, false, (*API).listPanelPresets},
	{"GET /api/dashboard/studies/{studyRef}/fieldwork", member, false, (*API).getFieldwork},
	{"POST /api/dashboard/studies/{studyRef}/pause", supervisor, true, (*API).pauseStudy},
	{"POST /api/dashboard/studies/{studyRef}/reopen", supervisor, true, (*API).reopenStudy},
	{"POST /api/dashboard/studies/{studyRef}/preview-link", member, false, (*API).makePreviewLink},
	{"PUT /api/dashboard/studies/{studyRef}/panel/secret", supervisor, true, (*API).setPanelSecret},
	{"POST /api/dashboard/studies/{studyRef}/panel/links", supervisor, true, (*API).makePanelLinks},
	{"GET /api/dashboard/studies/{studyRef}/panel/deliveries", member, false, (*API).listDeliveries},
	{"POST /api/dashboard/studies/{studyRef}/panel/deliveries/retry", supervisor, true, (*API).retryDeliveries},

	{"GET /api/dashboard/studies/{studyRef}", member, false, (*API).getStudy},
	{"PATCH /api/dashboard/studies/{studyRef}", supervisor, true, (*API).changeStudy},
	{"DELETE /api/dashboard/studies/{studyRef}", supervisor, true, (*API).trashStudy},
	{"GET /api/dashboard/studies/{studyRef}/responses", member, false, (*API).listResponses},
	{"GET /api/dashboard/studies/{studyRef}/responses/{number}", member, false, (*API).getResponse},
	{"PUT /api/dashboard/studies/{studyRef}/responses/{number}/quality", supervisor, true, (*API).overrideQuality},
	{"DELETE /api/dashboard/studies/{studyRef}/responses/{number}/quality", supervisor, true, (*API).removeQualityOverride},
	{"GET /api/dashboard/studies/{studyRef}/responses/{number}/annotations", member, false, (*API).listAnnotations},
	{"POST /api/dashboard/studies/{studyRef}/responses/{number}/annotations", member, false, (*API).annotate},
	{"PATCH /api/dashboard/studies/{studyRef}/responses/{number}/annotations/{annotationId}", member, false, (*API).changeAnnotation},
	{"DELETE /api/dashboard/studies/{studyRef}/responses/{number}/annotations/{annotationId}", member, false, (*API).removeAnnotation},
	{"PUT /api/dashboard/studies/{studyRef}/responses/{number}/rows/{row}/correction", supervisor, true, (*API).correctAnswer},
	{"DELETE /api/dashboard/studies/{studyRef}/responses/{number}/rows/{row}/correction", supervisor, true, (*API).undoCorrection},
	{"POST /api/dashboard/studies/{studyRef}/responses/{number}/analysis", supervisor, true, (*API).reanalyse},
	{"GET /api/dashboard/studies/{studyRef}/tags", member, false, (*API).listTags},
	{"POST /api/dashboard/studies/{studyRef}/tags", member, false, (*API).createTag},
	{"PATCH /api/dashboard/studies/{studyRef}/tags/{tagId}", supervisor, true, (*API).changeTag},
	{"DELETE /api/dashboard/studies/{studyRef}/tags/{tagId}", supervisor, true, (*API).removeTag},
	{"GET /api/dashboard/studies/{studyRef}/quotes", member, false, (*API).listQuotes},
	{"POST /api/dashboard/studies/{studyRef}/responses/{number}/plays", member, false, (*API).notePlay},
	{"GET /api/dashboard/studies/{studyRef}/arrivals", member, false, (*API).countArrivals},
	{"POST /api/dashboard/studies/{studyRef}/visibility", supervisor, true, (*API).setHidden},
	{"POST /api/dashboard/studies/{studyRef}/deletions", supervisor, true, (*API).deleteResponses},

	{"GET /api/dashboard/studies/{studyRef}/report", member, false, (*API).getReport},
	{"POST /api/dashboard/studies/{studyRef}/report", member, false, (*API).makeReport},
	{"GET /api/dashboard/studies/{studyRef}/report/{reportId}/table", member, false, (*API).downloadTable},
	{"GET /api/dashboard/studies/{studyRef}/groupings", member, false, (*API).listGroupings},
	{"GET /api/dashboard/studies/{studyRef}/themes", member, false, (*API).listThemes},
	{"POST /api/dashboard/studies/{studyRef}/themes/{questionId}", member, false, (*API).editThemes},
	{"POST /api/dashboard/studies/{studyRef}/ask", member, false, (*API).ask},
	{"GET /api/dashboard/studies/{studyRef}/exports", member, false, (*API).listExports},
	{"POST /api/dashboard/studies/{studyRef}/exports", member, false, (*API).createExport},
	{"DELETE /api/dashboard/studies/{studyRef}/exports/{exportId}", member, false, (*API).removeExport},
	{"GET /api/dashboard/studies/{studyRef}/exports/{exportId}/file", member, false, (*API).getExportFile},
}

// errNotHere is the answer for everything in an organization that the person does not belong to.
var errNotHere = errors.New("there is nothing at this address")

// Errors maps the errors of the services to status and code. A new code also goes into openapi/dashboard.yaml.
var Errors = httpx.WithOutages(httpx.Table{
	{Err: org.ErrNoSession, Status: http.StatusUnauthorized, Code: "sign_in_needed", Message: "Sign in first."},
	{Err: signin.ErrFailed, Status: http.StatusUnauthorized, Code: "sign_in_failed", Message: "Mail address and password do not belong together."},
	{Err: signin.ErrWrongPassword, Status: http.StatusForbidden, Code: "wrong_password", Message: "The current password is not right."},
	{Err: signin.ErrCodeNeeded, Status: http.StatusForbidden, Code: "code_needed", Message: "A code of your authenticator app is needed as well."},
	{Err: signin.ErrWrongCode, Status: http.StatusForbidden, Code: "code_wrong", Message: "The code is not right, or was used before. Wait for the next one, or use a recovery code."},
	{Err: signin.ErrConfirmFirst, Status: http.StatusForbidden, Code: "confirmation_needed", Message: "Confirm first that it is you: this needs a recent sign-in."},
	{Err: signin.ErrPasskey, Status: http.StatusForbidden, Code: "passkey_refused", Message: "This passkey is not known here, or its answer came too late or twice."},
	{Err: signin.ErrNoPasskeys, Status: http.StatusConflict, Code: "passkeys_off", Message: "Browsers make no passkeys for this address."},
	{Err: signin.ErrTooManyPasskeys, Status: http.StatusConflict, Code: "too_many_passkeys", Message: "Nobody has more than 20 passkeys. Revoke one first."},
	{Err: org.ErrPasskeyKnown, Status: http.StatusConflict, Code: "passkey_known", Message: "This passkey is known already."},
	{Err: org.ErrNoPasskey, Status: http.StatusNotFound, Code: "not_found", Message: "There is no such passkey."},
	{Err: signin.ErrNoMail, Status: http.StatusConflict, Code: "mail_off", Message: "This installation sends no mails. Ask an admin of your organization for a link."},
	{Err: org.ErrTwoStepOn, Status: http.StatusConflict, Code: "two_step_on", Message: "The second step is on already."},
	{Err: org.ErrTwoStepOff, Status: http.StatusConflict, Code: "two_step_off", Message: "The second step is not on, or was not started."},
	{Err: org.ErrRoleNeeded, Status: http.StatusForbidden, Code: "role_needed", Message: "Your role does not allow this."},
	{Err: org.ErrWeakPassword, Status: http.StatusBadRequest, Code: "weak_password", Message: "A password has from 12 to 256 characters, at least 5 of them different, and is not the mail address."},
	{Err: org.ErrNoToken, Status: http.StatusNotFound, Code: "token_invalid", Message: "This link does not work any more: it was used, withdrawn, or has expired."},
	{Err: org.ErrMember, Status: http.StatusConflict, Code: "member_already", Message: "This person belongs to the organization already."},
	{Err: org.ErrLastAdmin, Status: http.StatusConflict, Code: "last_admin", Message: "This is the last admin: make somebody else one first."},
	{Err: org.ErrSharedAccount, Status: http.StatusConflict, Code: "shared_account", Message: "This account is used in other organizations as well: ask whoever runs the service for a link."},
	{Err: study.ErrNotFound, Status: http.StatusNotFound, Code: "study_not_found", Message: "There is no such study in your organizations."},
	{Err: study.ErrLinkTaken, Status: http.StatusConflict, Code: "link_taken", Message: "Another study has this link."},
	{Err: study.ErrNoFolder, Status: http.StatusNotFound, Code: "not_found", Message: "There is no such folder."},
	{Err: guidemedia.ErrNotFound, Status: http.StatusNotFound, Code: "not_found", Message: "There is no such file, or not any more."},
	{Err: guidemedia.ErrOffset, Status: http.StatusConflict, Code: "offset_conflict", Message: "The bytes do not begin where the upload ends. Ask how far it is."},
	{Err: guidemedia.ErrTooLarge, Status: http.StatusRequestEntityTooLarge, Code: "payload_too_large", Message: "The file is larger than what was announced, or than a film may be."},
	{Err: guidemedia.ErrFull, Status: http.StatusConflict, Code: "media_full", Message: "The images and films of your organization would take more than 20 GB. Those that no guide uses are removed after a week."},
	{Err: guidemedia.ErrComplete, Status: http.StatusConflict, Code: "conflict", Message: "The file is complete. It is removed when no guide uses it any more."},
	{Err: translator.ErrOtherLanguage, Status: http.StatusNotFound, Code: "not_found", Message: "The study is not offered in this language."},
	{Err: translator.ErrNoModel, Status: http.StatusConflict, Code: "no_model", Message: "No language model translates the guides of this study."},
	{Err: study.ErrNotLaunched, Status: http.StatusConflict, Code: "not_launched", Message: "The study has not been launched yet."},
	{Err: study.ErrConflict, Status: http.StatusConflict, Code: "conflict", Message: "There is a newer version of the guide. Look at it, and launch again."},
	{Err: study.ErrClosed, Status: http.StatusConflict, Code: "conflict", Message: "The study is closed. Reopen it first."},
	{Err: study.ErrPaused, Status: http.StatusConflict, Code: "conflict", Message: "The study is paused. Reopen it first."},
	{Err: panels.ErrNoPanel, Status: http.StatusConflict, Code: "no_panel", Message: "The study has no panel. Set one up, and publish it."},
	{Err: panels.ErrNoSecret, Status: http.StatusConflict, Code: "no_panel_secret", Message: "No secret is set that signs links. Set one first."},
	{Err: panels.ErrSecret, Status: http.StatusBadRequest, Code: "bad_request", Message: "A secret has from 4 to 4096 characters, and no control characters."},
	{Err: panels.ErrNoDelivery, Status: http.StatusNotFound, Code: "not_found", Message: "There is no such message any more."},
	{Err: panels.ErrNothingToRetry, Status: http.StatusConflict, Code: "conflict", Message: "The message has arrived already, or what it held was removed with its response."},
	{Err: study.ErrOtherWallet, Status: http.StatusConflict, Code: "conflict", Message: "The study is live already and billed to another wallet."},
	{Err: study.ErrBusy, Status: http.StatusServiceUnavailable, Code: "busy", Message: "The study is being changed. Send the request again.", RetryAfter: time.Second},
	{Err: study.ErrLaunchDenied, Status: http.StatusForbidden, Code: "role_needed", Message: "Your role does not allow this."},
	{Err: authoring.ErrBadLinkID, Status: http.StatusBadRequest, Code: "bad_link_id", Message: "A link id has 3 to 64 letters, digits and hyphens, and does not look like a UUID."},
	{Err: workingcopy.ErrProblems, Status: http.StatusConflict, Code: "guide_has_problems", Message: "The guide has errors. Correct them first."},
	{Err: workingcopy.ErrNoVersion, Status: http.StatusNotFound, Code: "not_found", Message: "This version is not kept."},
	{Err: wallet.ErrAccessDenied, Status: http.StatusForbidden, Code: "wallet_access_denied", Message: "Your organization has no access to this wallet."},
	{Err: wallet.ErrRequired, Status: http.StatusBadRequest, Code: "wallet_required", Message: "Your organization has several wallets: choose one."},
	{Err: wallet.ErrInsufficient, Status: http.StatusBadRequest, Code: "insufficient_credits", Message: "The wallet cannot pay for an interview. Ask an admin to top it up."},
	{Err: wallet.ErrNotFound, Status: http.StatusNotFound, Code: "not_found", Message: "The organization has no such wallet."},
	{Err: billing.ErrNoAmount, Status: http.StatusBadRequest, Code: "bad_request", Message: "The amount must be more than zero."},
	{Err: billing.ErrTooMuch, Status: http.StatusBadRequest, Code: "bad_request", Message: "At most 10,000,000 credits are added at once."},
	{Err: recording.ErrNoRecording, Status: http.StatusNotFound, Code: "response_not_found", Message: "The response has no such recording."},
	{Err: response.ErrNotFound, Status: http.StatusNotFound, Code: "response_not_found", Message: "The study has no such response."},
	{Err: exporting.ErrNoExport, Status: http.StatusNotFound, Code: "export_not_found", Message: "The study has no such export, or not any more."},
	{Err: exporting.ErrFormat, Status: http.StatusBadRequest, Code: "bad_request", Message: "The format must be csv, xlsx, jsonl, sav or zip."},
	{Err: exporting.ErrLayout, Status: http.StatusBadRequest, Code: "bad_request", Message: "An SPSS file is always wide."},
	{Err: exporting.ErrLabels, Status: http.StatusBadRequest, Code: "bad_request", Message: "An SPSS file has codes with their labels: leave out labels."},
	{Err: exporting.ErrContent, Status: http.StatusBadRequest, Code: "bad_request", Message: "A codebook alone is written as csv, xlsx or jsonl."},
	{Err: exporting.ErrNotReady, Status: http.StatusConflict, Code: "export_not_ready", Message: "The file is not complete."},
	{Err: exporting.ErrTooMany, Status: http.StatusConflict, Code: "too_many_exports", Message: "Ten exports of the organization are being written. Wait for one of them."},
	{Err: org.ErrRetentionDays, Status: http.StatusBadRequest, Code: "bad_request", Message: "Recordings and responses are kept for 1 to 3650 days, or for ever."},
	{Err: org.ErrRetentionLate, Status: http.StatusBadRequest, Code: "bad_request", Message: "Recordings are deleted with their responses at the latest: keep them no longer than responses."},
	{Err: org.ErrNoRetention, Status: http.StatusNotFound, Code: "not_found", Message: "The study has no rule of its own."},
	{Err: instance.ErrNoPart, Status: http.StatusNotFound, Code: "not_found", Message: "The installation has no such part, or it cannot be tried."},
	{Err: instance.ErrBusy, Status: http.StatusConflict, Code: "conflict", Message: "It is being tried already."},
	{Err: errNotHere, Status: http.StatusNotFound, Code: "not_found", Message: "There is nothing at this address."},
	{Err: org.ErrNotFound, Status: http.StatusNotFound, Code: "not_found", Message: "There is nothing at this address."},
	{Err: org.ErrNoUser, Status: http.StatusNotFound, Code: "not_found", Message: "The organization has no such person."},
	{Err: org.ErrNoGrant, Status: http.StatusNotFound, Code: "not_found", Message: "The person has no grant on this study."},
	{Err: org.ErrNoKey, Status: http.StatusNotFound, Code: "not_found", Message: "The organization has no such key."},
	{Err: org.ErrNoInvitation, Status: http.StatusNotFound, Code: "not_found", Message: "The organization has no such invitation."},
	{Err: webhook.ErrNotFound, Status: http.StatusNotFound, Code: "not_found", Message: "The organization has no such webhook."},
	{Err: webhooks.ErrNoDelivery, Status: http.StatusNotFound, Code: "not_found", Message: "The webhook has no such message, or not any more."},
	{Err: webhook.ErrTooMany, Status: http.StatusConflict, Code: "too_many_webhooks", Message: "An organization has up to 20 webhooks."},
	{Err: webhooks.ErrDisabled, Status: http.StatusConflict, Code: "webhook_disabled", Message: "The webhook is disabled. Enable it first."},
	{Err: webhooks.ErrStillWaiting, Status: http.StatusConflict, Code: "delivery_waiting", Message: "The message is still waiting to be sent."},
	{Err: review.ErrBadCursor, Status: http.StatusBadRequest, Code: "bad_request", Message: "after is not that of a page before."},
	{Err: reporting.ErrNoReport, Status: http.StatusNotFound, Code: "not_found", Message: "There is no such report: it was replaced by a newer one, or a response was deleted."},
	{Err: reporting.ErrNoTable, Status: http.StatusNotFound, Code: "not_found", Message: "The report has no such table."},
	{Err: reporting.ErrOtherReport, Status: http.StatusConflict, Code: "conflict", Message: "Another report on this study is being made. Ask again when it is complete."},
	{Err: codeframe.ErrNone, Status: http.StatusNotFound, Code: "not_found", Message: "There are no themes of this question yet. Make a report first."},
	{Err: codeframe.ErrConflict, Status: http.StatusConflict, Code: "conflict", Message: "Somebody else changed these themes meanwhile. Look at them again, and repeat the change."},
	{Err: asking.ErrNoQuestion, Status: http.StatusBadRequest, Code: "bad_request", Message: "A question has from 1 to 500 characters."},
	{Err: asking.ErrBusy, Status: http.StatusTooManyRequests, Code: "rate_limited", Message: "Two questions of your organization are being answered already. Try again in 2 s.", RetryAfter: 2 * time.Second},
	{Err: annotation.ErrNotFound, Status: http.StatusNotFound, Code: "not_found", Message: "There is no such note or highlight, or not any more."},
	{Err: annotation.ErrNoTag, Status: http.StatusNotFound, Code: "not_found", Message: "There is no such tag, or not any more."},
	{Err: annotation.ErrNameTaken, Status: http.StatusConflict, Code: "conflict", Message: "Another tag has this name."},
	{Err: annotation.ErrTooMany, Status: http.StatusConflict, Code: "conflict", Message: "There are too many already: a response has at most 500 notes and highlights, an organization or a study 200 tags."},
	{Err: annotation.ErrMoved, Status: http.StatusConflict, Code: "conflict", Message: "The words do not stand there. Load the response again, and select them again."},
	{Err: annotation.ErrBadName, Status: http.StatusBadRequest, Code: "bad_request", Message: "name needs from 1 to 60 visible characters."},
	{Err: annotation.ErrEmpty, Status: http.StatusBadRequest, Code: "bad_request", Message: "Without words, there must be a note or a tag."},
	{Err: review.ErrNoCorrection, Status: http.StatusNotFound, Code: "not_found", Message: "The answer was not corrected, or the correction was undone already."},
	{Err: review.ErrNotSpoken, Status: http.StatusConflict, Code: "conflict", Message: "Only spoken answers that were transcribed can be corrected."},
	{Err: review.ErrAnswerChanged, Status: http.StatusConflict, Code: "conflict", Message: "The answer has changed meanwhile. Look at it again."},
	{Err: review.ErrUnderWay, Status: http.StatusConflict, Code: "conflict", Message: "The interview has not ended."},
	{Err: review.ErrNoWordsLeft, Status: http.StatusBadRequest, Code: "bad_request", Message: "words must not be empty."},
	{Err: review.ErrNoWords, Status: http.StatusBadRequest, Code: "bad_request", Message: "q has no word that can be searched for."},
})

// call is one request with what is known of whoever sends it.
type call struct {
	w http.ResponseWriter
	r *http.Request

	session org.Session  // zero for operations of nobody
	caller  org.Caller   // of operations in an organization
	study   review.Study // of operations on a study
}

// Register adds the operations and the pages to a mux.
func (a *API) Register(mux *http.ServeMux) {
	routes := httpx.Routes{}
	for _, op := range operations {
		routes[op.pattern] = func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Set("Cache-Control", "no-store")
			return a.serve(op, &call{w: w, r: r})
		}
	}
	routes.Mount(mux, Errors, a.Log)
	a.registerPages(mux)
}

// serve checks origin and role, and calls the operation.
func (a *API) serve(op operation, c *call) error {
	if err := a.checkOrigin(c.r); err != nil {
		return err
	}
	if op.role != nobody {
		session, err := a.SignIn.Identify(c.r.Context(), a.Cookie.value(c.r))
		if err != nil {
			return err
		}
		c.session = session
	}
	if err := a.admit(op, c); err != nil {
		return err
	}
	if err := a.checkRecent(op, c); err != nil {
		return err
	}
	return translated(op.handle(a, c))
}

// admit finds the organization or the study of the address, and returns org.ErrRoleNeeded where the person's role in it, or in the installation,
// is too small.
func (a *API) admit(op operation, c *call) error {
	if err := a.admitToPlace(op, c); err != nil || op.role != instanceAdmin {
		return err
	}
	is, err := a.Access.IsInstanceAdmin(c.r.Context(), c.session.UserID)
	if err == nil && !is {
		err = org.ErrRoleNeeded
	}
	return err
}

func (a *API) admitToPlace(op operation, c *call) (err error) {
	switch {
	case strings.Contains(op.pattern, "{orgId}"):
		if c.caller, err = a.SignIn.Member(c.r.Context(), c.session.UserID, strings.ToLower(c.r.PathValue("orgId"))); err != nil {
			return err
		}
	case strings.Contains(op.pattern, "{studyRef}"):
		open := a.Review.Open
		if strings.Contains(op.pattern, "/trash/") {
			open = a.Review.OpenTrashed
		}
		if c.study, err = open(c.r.Context(), c.session.UserID, c.r.PathValue("studyRef")); err != nil {
			return err
		}
		c.caller = c.study.Caller
	default:
		return nil
	}
	needed := org.Role(op.role)
	if op.role == instanceAdmin {
		needed = org.Admin
	}
	if !c.caller.Role.AtLeast(needed) && !(op.own && c.study.MayChange) {
		return org.ErrRoleNeeded
	}
	return nil
}

// checkOrigin refuses requests that change something and come from a page of another origin.
func (a *API) checkOrigin(r *http.Request) error {
	var protection http.CrossOriginProtection
	if err := protection.Check(r); err != nil && !a.isOwnOrigin(r) {
		return httpx.Errorf(http.StatusForbidden, "cross_origin", "The request comes from a page of another origin.")
	}
	return nil
}

// isOwnOrigin reports whether a request without Sec-Fetch-Site comes from a page of the public address, whatever Host the proxy passes on.
func (a *API) isOwnOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return r.Header.Get("Sec-Fetch-Site") == "" && origin != "" && (a.BaseURL == origin || strings.HasPrefix(a.BaseURL, origin+"/"))
}

// translated returns the answers to errors that carry numbers.
func translated(err error) error {
	if wait, ok := errors.AsType[*signin.WaitError](err); ok {
		seconds := ceilSeconds(wait.For)
		e := httpx.Errorf(http.StatusTooManyRequests, "rate_limited", "Too many failed tries. Try again in %s s.", seconds)
		e.Header = http.Header{"Retry-After": {seconds}}
		return e
	}
	if limit, ok := errors.AsType[*mailing.LimitError](err); ok {
		seconds := ceilSeconds(limit.For)
		e := httpx.Errorf(http.StatusTooManyRequests, "rate_limited", "Too many mails: %s. Try again in %s s.", limit, seconds)
		e.Header = http.Header{"Retry-After": {seconds}}
		return e
	}
	if count, ok := errors.AsType[*review.CountError](err); ok {
		return httpx.Errorf(http.StatusConflict, "count_differs", "%d responses would be deleted and not %d. Nothing was deleted.", count.Exist, count.Meant)
	}
	if wrong := reporting.Usage(err); wrong != nil {
		return httpx.BadRequest("%s", wrong)
	}
	if wrong, ok := errors.AsType[*webhooks.Error](err); ok {
		text := wrong.Error()
		return httpx.BadRequest("%s", strings.ToUpper(text[:1])+text[1:]+".")
	}
	if wrong, ok := errors.AsType[*panels.ParameterError](err); ok {
		return httpx.BadRequest("%s", upperFirst(wrong.Error()+"."))
	}
	if wrong, ok := errors.AsType[*codeframe.ChangeError](err); ok {
		return httpx.BadRequest("%s", wrong)
	}
	return err
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// answer writes v as JSON.
func (c *call) answer(status int, v any) error {
	body := httpx.Encode(v)
	c.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	c.w.WriteHeader(status)
	_, _ = c.w.Write(body) // the client may be gone
	return nil
}

// done answers that there is nothing to say.
func (c *call) done() error {
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (c *call) browser() signin.Browser { return signin.Browser{Agent: c.r.UserAgent()} }

// timestamp is a time that is encoded as RFC 3339 in UTC with microseconds.
type timestamp time.Time

// MarshalText implements encoding.TextMarshaler.
func (t timestamp) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000000Z"), nil
}

// optional returns a time for JSON; nil for the zero time.
func optional(t time.Time) *timestamp {
	if t.IsZero() {
		return nil
	}
	made := timestamp(t)
	return &made
}

// orNull returns a pointer to a value for JSON; nil for its zero value.
func orNull[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// list returns an array for JSON, never null.
func list[From, To any](from []From, convert func(From) To) []To {
	all := make([]To, 0, len(from))
	for _, one := range from {
		all = append(all, convert(one))
	}
	return all
}
