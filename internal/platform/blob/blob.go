package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"
)

// Store keeps objects. Its methods may be called at once from many goroutines and many nodes.
type Store interface {
	// Put stores what r holds, under a name that may be taken already: then the object is replaced, whole. size is the
	// number of bytes in r, or Unknown; ErrSize when it is another. contentType is kept as it is. When Put returns nil the
	// object survives a power cut; when it returns an error, or the process dies, nobody sees a part of it. outage.ErrObjectsFull when there
	// is no room for it.
	Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error
	// Get reads length bytes from an offset, or all from there with ToEnd; fewer where the object ends. ErrNotFound, and
	// ErrRange where there is no byte at the offset. An object may be read whole even when it is empty.
	Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)
	// Stat tells what is known of an object; ErrNotFound.
	Stat(ctx context.Context, name string) (Info, error)
	// List names the objects whose names begin with prefix, which ends in a slash, in no order but that those of one folder
	// come together. It holds no more than a page of them; what is put or deleted meanwhile is named or not. What a put has
	// not finished is never named. An error is the last that comes.
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
	// Delete removes an object. One that is not there is no error.
	Delete(ctx context.Context, name string) error
	// DeletePrefix removes every object whose name begins with prefix, which ends in a slash, and what puts that were cut
	// off left there. It may be repeated. Objects that are put at the same time may stay.
	DeletePrefix(ctx context.Context, prefix string) error
	// SignedURL makes an address that reads the object, and only it, for so long, without a key.
	SignedURL(ctx context.Context, name string, lifetime time.Duration) (string, error)
	// Ready reports whether the store can be reached. Where a bucket cannot, or does not answer in time, this and every other
	// method return outage.ErrObjectsAway.
	Ready(ctx context.Context) error
}

// Unknown is the size of what has yet to be read; ToEnd the length of all that follows.
const (
	Unknown = -1
	ToEnd   = -1
)

// Info is what is known of an object without reading it.
type Info struct {
	Size        int64 // bytes
	ContentType string
	ModTime     time.Time // when it was put
}

// Errors of every store.
var (
	ErrNotFound = errors.New("no such object")
	ErrName     = errors.New("no name for an object")
	ErrType     = errors.New("no content type")
	ErrSize     = errors.New("the content is shorter or longer than was said")
	ErrRange    = errors.New("the object has no such range")
)

const (
	maxName    = 900 // S3 takes 1024
	maxSegment = 200 // file systems take 255
	maxType    = 255
)

// CheckName refuses every name but words of ASCII letters, digits, '-', '_' and '.' that do not begin with '.', joined by
// single slashes. So no name leads out of a folder, means different objects to different stores, or needs escaping.
func CheckName(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("%w: %d bytes", ErrName, len(name))
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "" || segment[0] == '.' || len(segment) > maxSegment || strings.ContainsFunc(segment, strange) {
			return fmt.Errorf("%w: %q", ErrName, name)
		}
	}
	return nil
}

func strange(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_' || r == '.')
}

// folderOf is a prefix without its slash; ErrName when it is no folder of names.
func folderOf(prefix string) (string, error) {
	folder, ok := strings.CutSuffix(prefix, "/")
	if !ok {
		return "", fmt.Errorf("%w: the prefix %q does not end in a slash", ErrName, prefix)
	}
	return folder, CheckName(folder)
}

// checkType takes type/subtype with any parameters: recorders say "video/webm;codecs=vp8,opus", which is not quite what
// the RFC says.
func checkType(contentType string) error {
	kind, _, _ := strings.Cut(contentType, ";")
	first, second, _ := strings.Cut(strings.TrimSpace(kind), "/")
	unprintable := func(r rune) bool { return r < ' ' || r > '~' }
	if first == "" || second == "" || len(contentType) > maxType || strings.ContainsFunc(contentType, unprintable) {
		return fmt.Errorf("%w: %q", ErrType, contentType)
	}
	return nil
}

// newSource checks what every Put is given and makes its content a source.
func newSource(ctx context.Context, name string, r io.Reader, size int64, contentType string) (*source, error) {
	if size < Unknown {
		return nil, fmt.Errorf("%w: %d bytes", ErrSize, size)
	}
	return &source{ctx: ctx, r: r, size: size}, errors.Join(CheckName(name), checkType(contentType))
}

// source reads the content of a Put. It ends with io.EOF after exactly so many bytes as were said, and never with
// io.ErrUnexpectedEOF, which a request's body gives when its sender is gone but readers of blocks take for a last block.
type source struct {
	ctx  context.Context
	r    io.Reader
	size int64 // or Unknown
	read int64

	fault error // what was wrong with the content itself
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (n int, err error) {
	defer func() {
		if err != nil && err != io.EOF {
			s.fault = err
		}
	}()
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err = s.r.Read(p)
	s.read += int64(n)
	if err == nil && n > 0 && s.read == s.size {
		err = s.ended() // who reads no further must learn it now
	}
	switch {
	case s.size != Unknown && (s.read > s.size || err == io.EOF && s.read < s.size):
		return 0, fmt.Errorf("%w: %d bytes", ErrSize, s.size)
	case err == io.ErrUnexpectedEOF:
		return 0, fmt.Errorf("the content broke off: %w", err)
	}
	return n, err
}

// ended is io.EOF where nothing follows.
func (s *source) ended() error {
	n, err := io.ReadFull(s.r, make([]byte, 1))
	s.read += int64(n)
	return err
}
