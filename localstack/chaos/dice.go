package main

import (
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"
)

// dice are the random choices of one part of the run. Each part has its own, made from
// the seed and the part's name, so that a choice more in one part does not change those
// of the others.
type dice struct {
	mu   sync.Mutex
	rand *rand.Rand
}

func newDice(seed uint64, part string) *dice {
	name := fnv.New64a()
	_, _ = name.Write([]byte(part)) // never fails
	// The same run is wanted for the same seed, so it is not meant to be secure.
	return &dice{rand: rand.New(rand.NewPCG(seed, name.Sum64()))} // #nosec G404
}

// upTo returns a number from 0 to n-1.
func (d *dice) upTo(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rand.IntN(n)
}

// between returns a number from low to high.
func (d *dice) between(low, high int) int { return low + d.upTo(high-low+1) }

// in reports true once in n times on average.
func (d *dice) in(n int) bool { return d.upTo(n) == 0 }

// wait returns a duration from low to high.
func (d *dice) wait(low, high time.Duration) time.Duration {
	return low + time.Duration(d.upTo(int((high-low)/time.Millisecond)+1))*time.Millisecond
}

// pick returns one of the choices.
func pick[T any](d *dice, choices []T) T { return choices[d.upTo(len(choices))] }
