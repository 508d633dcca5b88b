//go:build !linux && !darwin

package maintenance

import "errors"

// DiskSpace is not supported on this system.
func DiskSpace(string) (free, size uint64, err error) { return 0, 0, errors.ErrUnsupported }
