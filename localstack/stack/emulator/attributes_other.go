//go:build unix && !linux

package emulator

import "syscall"

// processAttributes puts the child in its own process group, so that Ctrl-C in a terminal reaches only the runner. If
// the runner is killed, the emulators notice that their standard input closes.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

func roomy(string) bool { return false }

func skipSync() {}
