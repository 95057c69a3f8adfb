package main

import (
	"cmp"
	"regexp"
	"slices"
	"sync"
)

// lists collects from several goroutines.
type lists[T any] struct {
	mu  sync.Mutex
	all []T
}

func (l *lists[T]) add(more ...T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, more...)
}

func sortBy[T any](list []T, key func(T) string) {
	slices.SortFunc(list, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
