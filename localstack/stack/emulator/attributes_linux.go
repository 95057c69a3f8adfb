package emulator

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// processAttributes puts the child in its own process group. So Ctrl-C in a terminal reaches only the runner, which
// needs the emulators until it has drained. The kernel kills the child when its parent dies for any reason.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// roomy reports whether the folder has space for a GB of files. Containers often have less in memory.
func roomy(folder string) bool {
	var fs syscall.Statfs_t
	return syscall.Statfs(folder, &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= 1<<30
}

// skipSync makes fsync a no-op in child processes that this thread starts from now on. Otherwise, SQLite waits for
// the disk after each write, which is half of an emulator's time. Killing a process loses nothing, because the kernel
// has its writes. If the kernel refuses the filter, everything works, but slower.
func skipSync() {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the system call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FSYNC, Jt: 1},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FDATASYNC, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO}, // with error 0
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == nil {
		_ = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0) // #nosec G103
	}
}
