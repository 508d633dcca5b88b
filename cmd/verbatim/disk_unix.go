//go:build linux || darwin

package main

import "syscall"

// diskRoom tells how many bytes are free, and how many there are, on the disk of a folder.
func diskSpace(folder string) (free, size uint64, err error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return 0, 0, err
	}
	block := uint64(stat.Bsize)
	return stat.Bavail * block, stat.Blocks * block, nil
}
