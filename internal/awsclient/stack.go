package awsclient

import "runtime"

// callNeeds is how much of the stack, in bytes, the SDK needs for a call. With half of it, the stack
// grows once more.
const callNeeds = 16 << 10

// MakeRoom enlarges the stack of its goroutine for a call, at once. A goroutine begins with a small
// stack, which is doubled whenever it is full, and each time everything on it is copied. In the middle
// of the SDK that is a lot. Every call does it; a goroutine with much to do before its first call does
// it at its beginning, when there is nothing to copy.
//
//go:noinline
func MakeRoom() {
	var room [callNeeds]byte
	runtime.KeepAlive(&room)
}
