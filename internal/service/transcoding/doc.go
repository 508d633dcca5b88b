// Package transcoding makes recordings playable. A job for each recording fetches the sessions that participants uploaded, has
// ffmpeg join and encode them, stores the renditions beside the response's other objects, and notes them in the database.
// Recordings are received by package uploads; fieldwork notes what was recorded at which step.
package transcoding
