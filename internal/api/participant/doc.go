// Package participant is the participant's door: the study link and the interviews behind it. The same addresses answer
// programs with JSON and browsers with a plain page (by Accept), which works without JavaScript. Where the web build
// has made the app (web/participant), the page loads it, and it takes over and speaks the same protocol:
//
//	GET  /s/{linkId}                       the study: title, welcome, mode, languages, disclosure
//	POST /s/{linkId}/interviews?{params}   consent and begin: 201 {token, step}; the query is kept as the URL parameters
//	GET  /i/{token}                        {step}: where the interview stands
//	POST /i/{token}/answers                {stepId, ...answer} -> {step}
//	GET  /i/{token}/events                 server-sent events: the follow-up as it is written, and each step
//	POST /i/{token}/withdraw               204: everything is taken back and will be erased
//
// Every key of a step is always present, null where it does not apply. A stepId may be sent again while it is the last
// one answered: the first answer stands. An older or unknown one is 409 stale_step, whose body carries the current step.
//
// Recordings and files come by package tus below /i/{token}/uploads, with the metadata kind, stepId and filename; answers name
// them by the last part of their address. POST /i/{token}/uploads/{id}/transcript gives the words that were said in one. A page without JavaScript sends its files with the form of their step.
//
// POST takes JSON, whatever its Content-Type, or the forms of the page. Browsers may post from this origin only.
package participant
