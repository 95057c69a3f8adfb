// Package parallel makes calls to AWS at the same time, in goroutines with room for them.
package parallel

import (
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Both runs both functions at the same time, the second in the caller's goroutine, and
// returns their errors.
func Both(first, second func() error) (errFirst, errSecond error) {
	var other errgroup.Group
	Go(&other, first)
	errSecond = second()
	return other.Wait(), errSecond
}

// Go runs a function that calls AWS in a goroutine of the group.
func Go(group *errgroup.Group, call func() error) {
	group.Go(func() error {
		MakeRoom()
		return call()
	})
}

// callNeeds is how much of the stack, in bytes, a call of AWS's SDK needs. With half of it, the
// stack grows once more.
const callNeeds = 16 << 10

// MakeRoom enlarges the stack of its goroutine for a call of AWS's SDK, at once. A stack starts with
// 2 KB and doubles whenever it is full, and each time the runtime walks and moves all frames. In
// the middle of the SDK those are many. Call it where a goroutine begins, when there are few.
// docs/performance.md has what it saves.
//
//go:noinline
func MakeRoom() {
	var room [callNeeds]byte
	runtime.KeepAlive(&room)
}
