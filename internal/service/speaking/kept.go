package speaking

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"verbatim/internal/platform/blob"
)

// kept counts the sounds beside the objects, as far as this process knows.
type kept struct {
	counted  time.Time // when they were counted; other servers add to them, too
	bytes    int64
	counting bool
}

// recount is the time after which the sounds are counted again, when one is added.
const recount = time.Hour

// read returns a kept sound.
func (s *Service) read(ctx context.Context, name string) (Sound, bool) {
	info, err := s.Objects.Stat(ctx, prefix+name)
	if err != nil {
		if !errors.Is(err, blob.ErrNotFound) {
			s.Log.WarnContext(ctx, "a kept sound could not be read", "error", err)
		}
		return Sound{}, false
	}
	content, err := s.Objects.Get(ctx, prefix+name, 0, blob.ToEnd)
	if err != nil {
		return Sound{}, false // it made room for another one meanwhile, or cannot be reached
	}
	audio, err := io.ReadAll(content)
	if err = errors.Join(err, content.Close()); err != nil || int64(len(audio)) != info.Size {
		return Sound{}, false
	}
	return Sound{audio, info.ContentType}, true
}

// keep stores a sound, and removes the oldest ones if there are too many bytes of them.
func (s *Service) keep(ctx context.Context, name string, sound Sound) error {
	size := int64(len(sound.Audio))
	if size > s.MaxKept {
		return nil
	}
	if err := s.Objects.Put(ctx, prefix+name, bytes.NewReader(sound.Audio), size, sound.Type); err != nil {
		return err
	}
	if !s.full(size) {
		return nil
	}
	total, err := s.evict(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.counting = false
	if err == nil {
		s.kept.counted, s.kept.bytes = s.Now(), total
	}
	return err
}

// full adds to the sounds, and reports whether the caller is to count them: they are too many, or were not counted for long.
func (s *Service) full(size int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.bytes += size
	if s.kept.counting || s.kept.bytes <= s.MaxKept && s.Now().Sub(s.kept.counted) < recount {
		return false
	}
	s.kept.counting = true
	return true
}

// evict counts the sounds and removes the oldest ones until a tenth of the room is free, if there are too many. It returns the bytes that stay.
func (s *Service) evict(ctx context.Context) (total int64, err error) {
	type object struct {
		name string
		blob.Info
	}
	var all []object
	for name, err := range s.Objects.List(ctx, prefix) {
		if err != nil {
			return 0, err
		}
		info, err := s.Objects.Stat(ctx, name)
		if errors.Is(err, blob.ErrNotFound) {
			continue
		} else if err != nil {
			return 0, err
		}
		all = append(all, object{name, info})
		total += info.Size
	}
	if total <= s.MaxKept {
		return total, nil
	}
	slices.SortFunc(all, func(a, b object) int { return a.ModTime.Compare(b.ModTime) })
	for _, old := range all {
		if total <= s.MaxKept-s.MaxKept/10 {
			break
		}
		if err := s.Objects.Delete(ctx, old.name); err != nil {
			return total, err
		}
		total -= old.Size
	}
	return total, nil
}
