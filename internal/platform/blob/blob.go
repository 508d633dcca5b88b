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

// Store stores objects. Its methods may be called concurrently from many goroutines and many nodes.
type Store interface {
	// Put stores the content of r. If the name is taken, the object is replaced as a whole. size is the number of bytes in
	// r, or Unknown; Put fails with ErrSize if there are more or fewer. contentType is stored as given. When Put returns nil
	// the object survives a power cut; when it returns an error, or the process dies, no part of it is visible. It fails
	// with outage.ErrObjectsFull if there is no space.
	Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error
	// Get reads length bytes from an offset, or everything from there with ToEnd; fewer if the object ends before. It fails
	// with ErrNotFound, or with ErrRange if there is no byte at the offset; reading an empty object from 0 to its end is
	// allowed.
	Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)
	// Stat returns the metadata of an object. It fails with ErrNotFound.
	Stat(ctx context.Context, name string) (Info, error)
	// List iterates over the names of the objects that begin with prefix, which ends in a slash. The order is undefined,
	// except that the names of one folder come together. It holds no more than a page of names in memory; objects that are
	// stored or deleted meanwhile may or may not be listed. Objects whose Put has not finished are never listed. After an
	// error the iteration ends.
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
	// Delete removes an object. It is not an error if the object does not exist.
	Delete(ctx context.Context, name string) error
	// DeletePrefix removes every object whose name begins with prefix, which ends in a slash, and what interrupted Puts left
	// there. It may be repeated. Objects that are stored at the same time may remain.
	DeletePrefix(ctx context.Context, prefix string) error
	// SignedURL returns a URL that reads the object, and nothing else, without a key until the lifetime is over.
	SignedURL(ctx context.Context, name string, lifetime time.Duration) (string, error)
	// Ready returns an error unless the store can be reached. If a bucket cannot be reached, or does not answer in time,
	// this and every other method return outage.ErrObjectsUnreachable.
	Ready(ctx context.Context) error
}

// Unknown is the size of content that is not known yet; ToEnd is the length of everything that follows.
const (
	Unknown = -1
	ToEnd   = -1
)

// Info is the metadata of an object.
type Info struct {
	Size        int64 // bytes
	ContentType string
	ModTime     time.Time // when it was stored
}

// Errors of every store.
var (
	ErrNotFound = errors.New("no such object")
	ErrName     = errors.New("not a valid object name")
	ErrType     = errors.New("not a valid content type")
	ErrSize     = errors.New("the content is shorter or longer than announced")
	ErrRange    = errors.New("the object has no such range")
)

const (
	maxName    = 900 // S3 allows 1024
	maxSegment = 200 // file systems allow 255
	maxType    = 255
)

// CheckName accepts only names that consist of words of ASCII letters, digits, '-', '_' and '.' that do not begin with '.',
// joined by single slashes. So no name leads out of a folder, means different objects in different stores, or needs
// escaping.
func CheckName(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("%w: %d bytes", ErrName, len(name))
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "" || segment[0] == '.' || len(segment) > maxSegment || strings.ContainsFunc(segment, invalidRune) {
			return fmt.Errorf("%w: %q", ErrName, name)
		}
	}
	return nil
}

func invalidRune(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_' || r == '.')
}

// folderOf returns a prefix without its slash. It fails with ErrName if the prefix is not a valid folder.
func folderOf(prefix string) (string, error) {
	folder, ok := strings.CutSuffix(prefix, "/")
	if !ok {
		return "", fmt.Errorf("%w: the prefix %q does not end in a slash", ErrName, prefix)
	}
	return folder, CheckName(folder)
}

// checkType accepts type/subtype with any parameters: recorders send "video/webm;codecs=vp8,opus", which does not quite
// follow the RFC.
func checkType(contentType string) error {
	kind, _, _ := strings.Cut(contentType, ";")
	first, second, _ := strings.Cut(strings.TrimSpace(kind), "/")
	unprintable := func(r rune) bool { return r < ' ' || r > '~' }
	if first == "" || second == "" || len(contentType) > maxType || strings.ContainsFunc(contentType, unprintable) {
		return fmt.Errorf("%w: %q", ErrType, contentType)
	}
	return nil
}

// newSource checks the arguments of every Put and wraps its content in a source.
func newSource(ctx context.Context, name string, r io.Reader, size int64, contentType string) (*source, error) {
	if size < Unknown {
		return nil, fmt.Errorf("%w: %d bytes", ErrSize, size)
	}
	return &source{ctx: ctx, r: r, size: size}, errors.Join(CheckName(name), checkType(contentType))
}

// source reads the content of a Put. It returns io.EOF only after exactly the announced number of bytes, and never
// io.ErrUnexpectedEOF, which a request's body returns if the client is gone but which readers of blocks take for a short
// last block.
type source struct {
	ctx  context.Context
	r    io.Reader
	size int64 // or Unknown
	read int64

	contentErr error // what was wrong with the content itself
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (n int, err error) {
	defer func() {
		if err != nil && err != io.EOF {
			s.contentErr = err
		}
	}()
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err = s.r.Read(p)
	s.read += int64(n)
	if err == nil && n > 0 && s.read == s.size {
		err = s.checkEnd() // a caller that reads no further must learn it now
	}
	switch {
	case s.size != Unknown && (s.read > s.size || err == io.EOF && s.read < s.size):
		return 0, fmt.Errorf("%w: %d bytes", ErrSize, s.size)
	case err == io.ErrUnexpectedEOF:
		return 0, fmt.Errorf("reading the content: %w", err)
	}
	return n, err
}

// checkEnd returns io.EOF if nothing follows.
func (s *source) checkEnd() error {
	n, err := io.ReadFull(s.r, make([]byte, 1))
	s.read += int64(n)
	return err
}
