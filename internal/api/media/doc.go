// Package media is the door of signed links: it serves recordings and uploads to whoever holds a link that blob.Links made,
// and to nobody else. No key is asked for and the database is not touched. The protocol:
//
//	GET /m/{expiry}/{signature}/{name}    the object, whole or in ranges
//
// 403 expired_link after the expiry, 403 invalid_link for every link that this service did not make, 404 not_found where
// the object is gone. What browsers could run is served as a download.
package media
