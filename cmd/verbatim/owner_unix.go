//go:build linux || darwin

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of another one, where this account may: root may, and others own what they write.
func keepOwner(name string, like fs.FileInfo) {
	if owner, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = os.Chown(name, int(owner.Uid), int(owner.Gid))
	}
}
