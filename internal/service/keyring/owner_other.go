//go:build !linux && !darwin

package keyring

import "io/fs"

// keepOwner does nothing on this system.
func keepOwner(string, fs.FileInfo) {}
