package awsclient

import "runtime"

// callNeeds is how much of the stack, in bytes, the SDK needs for a call. With half of it, the stack
// grows once more.
const callNeeds = 16 << 10

// makeRoom enlarges the stack of its goroutine for a call, at once. A goroutine begins with a small
// stack, which is doubled whenever it is full, and each time everything on it is copied. In the middle
// of the SDK that is a lot.
//
//go:noinline
func makeRoom() {
	var room [callNeeds]byte
	runtime.KeepAlive(&room)
}
