//go:build unix && !linux

package emulator

import "syscall"

// processAttributes give the child a group of its own, so that Ctrl-C in a
// terminal reaches only the runner. A parent that is killed leaves the emulators
// to notice the end of their standard input.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
