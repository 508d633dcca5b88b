// Package document owns what the API says of a response: the v1 list item and the v1 single response, as bytes that the
// store keeps beside the response and the doors stream unread. The work that changes a response encodes it again in the
// same transaction. Version numbers the projection: a store that holds another version is rebuilt.
//
// The bytes of a single response leave out its head (id, readableId, linkId), since a link id may change; WriteSingle
// puts it on. Its transcript rows say null for audio, video and screenVideo, because signed links expire and cannot be
// kept. A door that serves a response with recordings decodes the stored bytes with DecodeSingle, sets the links of each
// row (rows are known by their index; row 0 is the welcome, row n the exchange n-1) and encodes again with
// Detail.Encode. Responses without recordings, and every list, stay a plain copy.
package document
