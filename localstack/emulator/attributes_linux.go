package emulator

import "syscall"

// ProcessAttributes puts the child in its own process group, so that Ctrl-C in a terminal
// reaches only the runner, which still needs the emulators to drain. The kernel kills the
// child when its parent dies, however that happens.
func ProcessAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
