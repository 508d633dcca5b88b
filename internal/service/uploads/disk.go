package uploads

import "verbatim/internal/domain/recording"

// smallDisk bounds the floor of a disk that is smaller than what the floor was meant for: a twentieth of it is enough.
const smallDiskDivisor = 20

// room refuses bytes that the disk has no room for: the database, which may lie on it, too, must be able to go on.
func (s *Service) checkSpace(bytes int64) error {
	if s.Free == nil {
		return nil
	}
	free, size, err := s.Free()
	if err != nil {
		return nil // an object that cannot be written says so itself
	}
	if free < min(s.MinFree, size/smallDiskDivisor)+uint64(bytes) {
		return recording.ErrStorage
	}
	return nil
}

// short is room for what is on its way.
func (s *Service) checkMinFree() error { return s.checkSpace(0) }
