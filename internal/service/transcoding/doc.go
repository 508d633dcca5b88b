// Package transcoding makes recordings playable: a job for each fetches the sessions that participants uploaded, has
// transcode join and encode them, puts the renditions beside the response's other objects, and notes them in the store.
// Uploads come in through package capture; fieldwork notes what was recorded at which step.
package transcoding
