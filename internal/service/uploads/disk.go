package uploads

import "verbatim/internal/domain/recording"

// smallDiskDivisor limits MinFree on a disk that is small: one twentieth of the disk is enough.
const smallDiskDivisor = 20

// checkSpace returns recording.ErrStorage if the disk has no room for so many bytes above MinFree: the database may be on the
// same disk and must be able to go on.
func (s *Service) checkSpace(bytes int64) error {
	if s.Free == nil {
		return nil
	}
	free, size, err := s.Free()
	if err != nil {
		return nil // if the disk is really full, writing the object fails
	}
	if free < min(s.MinFree, size/smallDiskDivisor)+uint64(bytes) {
		return recording.ErrStorage
	}
	return nil
}

// checkMinFree returns recording.ErrStorage if the disk has less than MinFree; it is checked while bytes arrive.
func (s *Service) checkMinFree() error { return s.checkSpace(0) }
