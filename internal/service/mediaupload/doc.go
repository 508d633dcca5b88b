// Package mediaupload takes the images, films and captions that researchers upload for their guides. A file arrives in parts, each an object of its own;
// who sends one names where it begins, so that an upload that broke off goes on. What is not taken is known by its first bytes. An image and captions
// are ready with their last byte; a film is encoded by a job, as recordings are. The complete files are served to everybody who knows their address, which
// is random.
//
// A file stays as long as a revision or a version of a guide of its organization names it, and a week longer.
package mediaupload
