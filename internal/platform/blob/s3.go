package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"verbatim/internal/domain/outage"
)

// S3 stores objects in a bucket. An object larger than a part is sent in parts, which the bucket joins at the end.
type S3 struct {
	client *minio.Core
	bucket string
}

const (
	partSize = 5 << 20 // the minimum that S3 allows; each Put in progress holds up to two
	maxParts = 10_000
	maxTries = 4 // of each request, about 2 s in all
)

func (b bucket) open(getenv func(string) string) (*S3, error) {
	id, secret, token := getenv("VERBATIM_S3_ACCESS_KEY"), getenv("VERBATIM_S3_SECRET_KEY"), ""
	if id == "" && secret == "" {
		id, secret, token = getenv("AWS_ACCESS_KEY_ID"), getenv("AWS_SECRET_ACCESS_KEY"), getenv("AWS_SESSION_TOKEN")
	}
	if id == "" || secret == "" {
		return nil, errors.New("the bucket's keys are missing: set VERBATIM_S3_ACCESS_KEY and VERBATIM_S3_SECRET_KEY")
	}
	lookup := minio.BucketLookupDNS
	if b.pathStyle {
		lookup = minio.BucketLookupPath
	}
	transport, err := minio.DefaultTransport(!b.insecure)
	if err != nil {
		return nil, err
	}
	transport.DialContext = dialWithTimeout
	transport.TLSHandshakeTimeout = connectTimeout
	transport.ResponseHeaderTimeout = responseTimeout
	client, err := minio.NewCore(b.host, &minio.Options{
		Creds: credentials.NewStaticV4(id, secret, token), Secure: !b.insecure, Region: b.region, BucketLookup: lookup, MaxRetries: maxTries,
		Transport: transport,
	})
	return &S3{client, b.name}, err
}

// How long to wait for a store that does not respond. A bucket that joins parts sends a sign of life every ten seconds.
const (
	connectTimeout  = 3 * time.Second  // to connect
	sendTimeout     = 15 * time.Second // for it to accept more of a body
	responseTimeout = 15 * time.Second // for the first byte of a response
	requestTimeout  = 30 * time.Second // for an object that fits a part, or a request without a body, retries included
)

// dialWithTimeout makes connections whose writes time out.
func dialWithTimeout(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: connectTimeout, KeepAlive: 15 * time.Second}
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return timeoutConn{conn}, nil
}

// timeoutConn is a connection that breaks if the other side accepts nothing for sendTime.
type timeoutConn struct{ net.Conn }

// Write implements io.Writer.
func (i timeoutConn) Write(p []byte) (int, error) {
	if err := i.SetWriteDeadline(time.Now().Add(sendTimeout)); err != nil {
		return 0, err
	}
	return i.Conn.Write(p)
}

// Put implements Store. Content that fits a part is read first, so that a failed request can be repeated.
func (s *S3) Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error {
	content, err := newSource(ctx, name, r, size, contentType)
	if err != nil {
		return err
	}
	first := make([]byte, partSize)
	if size != Unknown && size < partSize {
		first = first[:size+1]
	}
	var body io.Reader
	n, err := io.ReadFull(content, first)
	switch err {
	case nil:
		body = io.MultiReader(bytes.NewReader(first), content)
	case io.EOF, io.ErrUnexpectedEOF:
		body, size = bytes.NewReader(first[:n]), int64(n)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, requestTimeout)
		defer cancel()
	default:
		return err
	}
	_, err = s.client.Client.PutObject(ctx, s.bucket, name, body, size, minio.PutObjectOptions{
		ContentType: contentType, PartSize: uint64(max(partSize, size/(maxParts-1)+1)),
	})
	if content.contentErr != nil {
		return errors.Join(content.contentErr, err) // the sender's error, not the store's
	}
	return s.convertError(name, err)
}

// Get implements Store.
func (s *S3) Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if err := checkRange(ctx, name, offset, length); err != nil {
		return nil, err
	}
	var o minio.GetObjectOptions
	if offset > 0 || length != ToEnd {
		last := int64(0) // to the end
		if length != ToEnd && length < math.MaxInt64-offset {
			last = offset + length - 1
		}
		if err := o.SetRange(offset, last); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrRange, err)
		}
	}
	body, _, _, err := s.client.GetObject(ctx, s.bucket, name, o)
	err = s.convertError(name, err)
	if errors.Is(err, ErrRange) && offset == 0 {
		return http.NoBody, nil // an empty object has no range
	}
	return body, err
}

// Stat implements Store.
func (s *S3) Stat(ctx context.Context, name string) (Info, error) {
	if err := CheckName(name); err != nil {
		return Info{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	o, err := s.client.StatObject(ctx, s.bucket, name, minio.StatObjectOptions{})
	if err != nil {
		return Info{}, s.convertError(name, err)
	}
	return Info{Size: o.Size, ContentType: o.ContentType, ModTime: o.LastModified}, nil
}

// convertError converts the responses of S3 to the errors of Store.
func (s *S3) convertError(name string, err error) error {
	answer, ok := errors.AsType[minio.ErrorResponse](err)
	switch {
	case ok && answer.Code == minio.NoSuchKey:
		return fmt.Errorf("%w: %s", ErrNotFound, name)
	case ok && answer.StatusCode == http.StatusInsufficientStorage, ok && answer.Code == "XMinioStorageFull":
		return fmt.Errorf("%w: %w", outage.ErrObjectsFull, err)
	case ok && answer.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return fmt.Errorf("%w of %s", ErrRange, name)
	}
	return wrapAway(err)
}

// wrapAway wraps errors that mean that the store did not answer, or cannot answer now, in outage.ErrObjectsUnreachable. Other errors
// are returned as they are.
func wrapAway(err error) error {
	if err == nil || errors.Is(err, outage.ErrObjectsUnreachable) || errors.Is(err, context.Canceled) {
		return err
	}
	answer, ok := errors.AsType[minio.ErrorResponse](err)
	_, network := errors.AsType[net.Error](err) // a *url.Error, too, and a timeout
	if !network && !errors.Is(err, io.ErrUnexpectedEOF) && !(ok && (answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests)) {
		return err
	}
	return fmt.Errorf("%w: %w", outage.ErrObjectsUnreachable, err)
}

// List implements Store. The bucket returns a thousand names at a time.
func (s *S3) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if _, err := folderOf(prefix); err != nil {
			yield("", err)
			return
		}
		list := minio.ListObjectsOptions{Prefix: prefix, Recursive: true}
		for object := range s.client.ListObjectsIter(ctx, s.bucket, list) {
			if object.Err != nil {
				yield("", wrapAway(object.Err))
				return
			}
			if CheckName(object.Key) == nil && !yield(object.Key, nil) { // some consoles create objects as placeholders for folders
				return
			}
		}
		if err := ctx.Err(); err != nil { // in which case the iteration ends without an error
			yield("", err)
		}
	}
}

// Delete implements Store. If the bucket keeps versions, they are deleted, too.
func (s *S3) Delete(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	versions, err := s.keepsVersions(ctx)
	if err != nil {
		return err
	}
	if versions {
		return s.remove(ctx, name, versions, func(found string) bool { return found == name })
	}
	if err := s.convertError(name, s.client.RemoveObject(ctx, s.bucket, name, minio.RemoveObjectOptions{})); !errors.Is(err, ErrNotFound) {
		return err
	}
	return nil
}

// DeletePrefix implements Store. If the bucket keeps versions, they are deleted, too.
func (s *S3) DeletePrefix(ctx context.Context, prefix string) error {
	if _, err := folderOf(prefix); err != nil {
		return err
	}
	versions, err := s.keepsVersions(ctx)
	if err != nil {
		return err
	}
	return s.remove(ctx, prefix, versions, func(found string) bool { return strings.HasPrefix(found, prefix) })
}

// remove removes the objects under a prefix that match, every version of them, and the parts of unfinished uploads.
func (s *S3) remove(ctx context.Context, prefix string, versions bool, match func(string) bool) error {
	list := minio.ListObjectsOptions{Prefix: prefix, Recursive: true, WithVersions: versions}
	var failures error
	results, err := s.client.RemoveObjectsWithIter(ctx, s.bucket, func(yield func(minio.ObjectInfo) bool) {
		for object := range s.client.ListObjectsIter(ctx, s.bucket, list) {
			if object.Err != nil {
				failures = errors.Join(failures, object.Err)
				return
			}
			if match(object.Key) && !yield(object) {
				return
			}
		}
	}, minio.RemoveObjectsOptions{})
	if err != nil {
		return err
	}
	for result := range results {
		if answer := minio.ToErrorResponse(result.Err); result.Err != nil && answer.Code != minio.NoSuchKey {
			failures = errors.Join(failures, result.Err)
		}
	}
	for upload := range s.client.ListIncompleteUploads(ctx, s.bucket, prefix, true) {
		err := upload.Err
		if err == nil && match(upload.Key) {
			err = s.client.AbortMultipartUpload(ctx, s.bucket, upload.Key, upload.UploadID)
		}
		if minio.ToErrorResponse(err).Code != minio.NoSuchUpload {
			failures = errors.Join(failures, err)
		}
	}
	return wrapAway(errors.Join(failures, ctx.Err()))
}

// keepsVersions reports whether the bucket keeps older versions of what is deleted or replaced. A store without versions
// answers that it does not implement the request.
func (s *S3) keepsVersions(ctx context.Context) (bool, error) {
	v, err := s.client.GetBucketVersioning(ctx, s.bucket)
	if answer := minio.ToErrorResponse(err); err != nil && (answer.StatusCode == http.StatusNotImplemented || answer.Code == "VersioningNotConfigured") {
		return false, nil
	}
	return v.Enabled() || v.Suspended(), wrapAway(err)
}

// SignedURL implements Store with a URL of the bucket itself.
func (s *S3) SignedURL(ctx context.Context, name string, lifetime time.Duration) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	u, err := s.client.PresignedGetObject(ctx, s.bucket, name, lifetime, nil)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

// Ready implements Store.
func (s *S3) Ready(ctx context.Context) error {
	found, err := s.client.BucketExists(ctx, s.bucket)
	err = wrapAway(err)
	if err == nil && !found {
		err = fmt.Errorf("there is no bucket %q", s.bucket)
	}
	return err
}
