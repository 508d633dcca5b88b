// Package participant serves the JSON protocol of interviews: the study link and the interviews behind it. Programs speak it, and so
// does the app in browsers (web/participant). Package pages stands before it and answers browsers with HTML at the same addresses:
//
//	GET  /s/{linkId}                       the study: title, welcome, mode, languages, disclosure
//	POST /s/{linkId}/interviews?{params}   consent and start: 201 {token, step}; the query is stored as the URL parameters
//	GET  /i/{token}                        {step}: the current step
//	POST /i/{token}/answers                {stepId, ...answer} -> {step}
//	GET  /i/{token}/events                 server-sent events: the follow-up as it is written, and each step
//	POST /i/{token}/withdraw               204: the interview is withdrawn and will be erased
//
// Every key of a step is always present, null where it does not apply. The last stepId that was answered may be sent
// again: the first answer stands. An older or unknown stepId is answered 409 stale_step, with the current step.
//
// Recordings and files are uploaded through package tus below /i/{token}/uploads, with the metadata kind, stepId and
// filename; answers name them by the last part of their address. POST /i/{token}/uploads/{id}/transcript returns the
// transcript of an upload.
//
// POST accepts JSON, whatever its Content-Type. Browsers may post from this origin only.
package participant
