package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"syscall"
	"time"

	"verbatim/internal/domain/outage"
)

// Folder stores each object as a file: the content, then the content type and a mark, so that one rename makes all of it
// visible. Names that begin with a dot are not objects: an unfinished or interrupted Put writes to such a file beside its
// object.
type Folder struct {
	root  *os.Root // nothing outside it can be reached, not even by a symbolic link
	links Links
}

// OpenFolder opens a folder, and creates it if it does not exist.
func OpenFolder(dir string, links Links) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	return &Folder{root, links}, err
}

// Put implements Store: it writes a file beside the object, syncs it to the disk, renames it, and syncs the directory.
func (f *Folder) Put(ctx context.Context, name string, r io.Reader, size int64, contentType string) error {
	content, err := newSource(ctx, name, r, size, contentType)
	if err != nil {
		return err
	}
	folder := path.Dir(name)
	if err := f.root.MkdirAll(folder, 0o700); err != nil {
		return wrapDiskFull(err)
	}
	beside := path.Join(folder, ".put-"+rand.Text())
	if err := f.write(beside, content, contentType); err != nil {
		return errors.Join(wrapDiskFull(err), f.removeIfExists(beside))
	}
	if err := f.root.Rename(beside, name); err != nil {
		return errors.Join(err, f.removeIfExists(beside))
	}
	return f.syncUp(folder)
}

// wrapDiskFull wraps the error of a full disk, or of a full disk quota, in outage.ErrObjectsFull.
func wrapDiskFull(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w", outage.ErrObjectsFull, err)
	}
	return err
}

func (f *Folder) write(name string, content io.Reader, contentType string) error {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	if err == nil {
		_, err = file.Write(tail(contentType))
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// syncUp syncs a folder's directory and all those above it to the disk. Those above may be new; syncing one that is not
// costs next to nothing, and another Put may have created it a moment ago without having synced it yet.
func (f *Folder) syncUp(folder string) error {
	for {
		if err := f.sync(folder); err != nil || folder == "." {
			return err
		}
		folder = path.Dir(folder)
	}
}

func (f *Folder) sync(folder string) error {
	dir, err := f.root.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Get implements Store.
func (f *Folder) Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if err := checkRange(ctx, name, offset, length); err != nil {
		return nil, err
	}
	file, info, err := f.open(name)
	if err != nil {
		return nil, err
	}
	if offset > 0 && offset >= info.Size {
		return nil, errors.Join(fmt.Errorf("%w: %d bytes from %d of %d", ErrRange, length, offset, info.Size), file.Close())
	}
	rest := info.Size - offset
	if length != ToEnd {
		rest = min(rest, length)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(file, offset, rest), file}, nil
}

// checkRange refuses arguments that are invalid for every Get.
func checkRange(ctx context.Context, name string, offset, length int64) error {
	if offset < 0 || length < 1 && length != ToEnd {
		return fmt.Errorf("%w: %d bytes from %d", ErrRange, length, offset)
	}
	return errors.Join(ctx.Err(), CheckName(name))
}

// Stat implements Store.
func (f *Folder) Stat(ctx context.Context, name string) (Info, error) {
	if err := errors.Join(ctx.Err(), CheckName(name)); err != nil {
		return Info{}, err
	}
	file, info, err := f.open(name)
	if err != nil {
		return Info{}, err
	}
	return info, file.Close()
}

// open opens an object's file and reads the trailer.
func (f *Folder) open(name string) (*os.File, Info, error) {
	file, err := f.root.Open(name)
	if isNotExist(err) {
		return nil, Info{}, fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	if err != nil {
		return nil, Info{}, err
	}
	stat, err := file.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	var info Info
	if err == nil {
		info, err = readTail(file, stat.Size(), stat.ModTime())
	}
	if err != nil {
		return nil, Info{}, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// isNotExist reports whether an error means that a name has no file; ENOTDIR if an object is in the place of a folder.
func isNotExist(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// page is the number of names of a folder that are read at once.
const page = 256

// List implements Store.
func (f *Folder) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		folder, err := folderOf(prefix)
		if err != nil {
			yield("", err)
			return
		}
		f.list(ctx, folder, yield)
	}
}

// list yields the objects in a folder and below; it returns false if the iteration must stop.
func (f *Folder) list(ctx context.Context, folder string, yield func(string, error) bool) bool {
	dir, err := f.root.Open(folder)
	if isNotExist(err) {
		return true
	}
	if err != nil {
		yield("", err)
		return false
	}
	defer dir.Close()
	for {
		entries, err := dir.ReadDir(page)
		if err == io.EOF || isNotExist(err) { // at its end, gone meanwhile, or an object instead of a folder
			return true
		}
		if err = errors.Join(ctx.Err(), err); err != nil {
			yield("", err)
			return false
		}
		for _, entry := range entries {
			name, more := folder+"/"+entry.Name(), true
			switch {
			case CheckName(name) != nil: // a Put in progress, or an interrupted one
			case entry.IsDir():
				more = f.list(ctx, name, yield)
			case entry.Type().IsRegular():
				more = yield(name, nil)
			}
			if !more {
				return false
			}
		}
	}
}

// Delete implements Store.
func (f *Folder) Delete(ctx context.Context, name string) error {
	_, err := f.Stat(ctx, name)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err == nil {
		err = f.removeIfExists(name)
	}
	if err == nil {
		err = f.sync(path.Dir(name))
	}
	return err
}

// removeIfExists removes a file. It is not an error if the file is gone already.
func (f *Folder) removeIfExists(name string) error {
	if err := f.root.Remove(name); !isNotExist(err) {
		return err
	}
	return nil
}

// DeletePrefix implements Store.
func (f *Folder) DeletePrefix(ctx context.Context, prefix string) error {
	folder, err := folderOf(prefix)
	if err = errors.Join(ctx.Err(), err); err != nil {
		return err
	}
	if stat, err := f.root.Stat(folder); isNotExist(err) || err == nil && !stat.IsDir() {
		return nil
	}
	if err := f.root.RemoveAll(folder); err != nil {
		return err
	}
	return f.sync(path.Dir(folder))
}

// SignedURL implements Store with a URL served by package media.
func (f *Folder) SignedURL(_ context.Context, name string, lifetime time.Duration) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	return f.links.Object(name, lifetime), nil
}

// Ready implements Store. It writes nothing, because anybody may request it often.
func (f *Folder) Ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	folder, err := f.root.Open(".")
	if err != nil {
		return err
	}
	_, err = folder.Readdirnames(1) // reads from the disk, to see that it is still there
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}

// TryWrite returns an error unless the folder can be written to. It finds out by writing.
func (f *Folder) TryWrite(ctx context.Context) error {
	probe := ".ready-" + rand.Text()
	file, err := f.root.OpenFile(probe, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(ctx.Err(), file.Close(), f.removeIfExists(probe))
}

// mark ends every object's file, after the content type and a byte with the type's length.
const mark = "\nverbatim-object-1\n"

func tail(contentType string) []byte {
	return append(append([]byte(contentType), byte(len(contentType))), mark...)
}

func readTail(file io.ReaderAt, size int64, at time.Time) (Info, error) {
	buf := make([]byte, min(size, int64(maxType+1+len(mark))))
	if _, err := file.ReadAt(buf, size-int64(len(buf))); err != nil && err != io.EOF {
		return Info{}, err
	}
	end := len(buf) - len(mark) - 1
	if end < 0 || string(buf[end+1:]) != mark || int(buf[end]) > end {
		return Info{}, errors.New("the file was not written as an object, or is damaged")
	}
	length := int(buf[end])
	return Info{Size: size - int64(len(mark)+1+length), ContentType: string(buf[end-length : end]), ModTime: at}, nil
}
