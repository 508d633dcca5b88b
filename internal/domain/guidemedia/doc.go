// Package guidemedia has the images, films and captions that researchers upload for their guides: what is taken, judged by its content, and how an
// image is made ready. An image is always decoded and encoded again, so that nothing of the file is left but its pixels: no place where it was taken, no
// second file behind the first one.
package guidemedia
