package emulator

import "syscall"

// processAttributes give the child a group of its own, so that Ctrl-C in a
// terminal reaches only the runner, which still needs the emulators to drain;
// and end the child when its parent dies, however that happens.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
