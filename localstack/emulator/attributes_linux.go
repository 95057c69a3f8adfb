package emulator

import "syscall"

// processAttributes puts the child in its own process group, so that Ctrl-C in a terminal
// reaches only the runner, which still needs the emulators to drain. The kernel kills the
// child when its parent dies, however that happens.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// roomy reports whether there is a GB for files in the folder. Containers often have less in memory.
func roomy(folder string) bool {
	var fs syscall.Statfs_t
	return syscall.Statfs(folder, &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= 1<<30
}
