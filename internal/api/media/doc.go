// Package media is the handler of signed links: it serves recordings and uploads to everyone who has a link that blob.Links
// made, and to nobody else. It asks for no key and does not touch the database. The protocol:
//
//	GET /m/{expiry}/{signature}/{name}    the object, complete or in ranges
//
// 403 expired_link after the expiry, 403 invalid_link for every link that this service did not make, 404 not_found where the
// object is gone. Content that browsers could run is served as a download.
package media
