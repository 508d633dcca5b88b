//go:build linux || darwin

package maintenance

import "syscall"

// DiskSpace returns the free bytes and the size in bytes of the disk that holds a folder.
func DiskSpace(folder string) (free, size uint64, err error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return 0, 0, err
	}
	block := uint64(stat.Bsize)
	return stat.Bavail * block, stat.Blocks * block, nil
}
