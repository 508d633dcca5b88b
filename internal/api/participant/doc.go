// Package participant serves participants: the study link and the interviews behind it. The same addresses answer
// programs with JSON and browsers with an HTML page (by Accept), which works without JavaScript. If the binary holds the
// app (web/participant), the page loads it, and the app continues over the same protocol:
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
// transcript of an upload. A page without JavaScript sends files in the form of their step.
//
// POST accepts JSON, whatever its Content-Type, or the forms of the page. Browsers may post from this origin only.
package participant
