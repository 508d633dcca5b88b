//go:build linux || darwin

package keyring

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner copies the owner of another file to a file if this account is allowed to. Root is; other accounts own what they write anyway.
func keepOwner(name string, like fs.FileInfo) {
	if owner, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = os.Chown(name, int(owner.Uid), int(owner.Gid))
	}
}
