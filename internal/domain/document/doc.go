// Package document owns the API's documents of a response: the v1 list item and the v1 single response, as bytes that the
// store keeps beside the response and the APIs stream unread. Whoever changes a response encodes its documents again in the
// same transaction. Version numbers the projection: a store that holds another version is rebuilt.
//
// The bytes of a single response leave out its head (id, readableId, linkId), since a link id may change; WriteSingle adds
// it. Its transcript rows have null for audio, video and screenVideo, because signed links expire and cannot be stored. An
// API that serves a response with recordings decodes the stored bytes with DecodeSingle, sets the links of each row (rows
// are identified by their index; row 0 is the welcome, row n is exchange n-1) and encodes again with Detail.Encode.
// Responses without recordings, and every list, are served as a plain copy.
package document
