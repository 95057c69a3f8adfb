//go:build unix

package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// claim creates the data folder and locks it for this stack. The lock goes away with
// the process, however that ends.
func claim(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf(
			"another stack uses the data folder %s; stop it, or run DATA_DIR=<another folder> make run", dir)
	}
	return func() { _ = f.Close() }, nil
}
