// Package memstats reports what a function has allocated. Only the functions that bench builds for
// that have it: it is added to their package main (bench/allocations.go).
package memstats

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"runtime"
)

// Socket is the environment variable with the path at which the function listens.
const Socket = "MEMSTATS_SOCKET"

// Report is what a process has allocated since it started.
type Report struct {
	Objects, Bytes uint64
}

// Serve writes a report to everyone who connects to the socket. It returns an error if it cannot
// listen.
func Serve() error {
	listener, err := net.Listen("unix", os.Getenv(Socket))
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			var all runtime.MemStats
			runtime.ReadMemStats(&all)
			_ = json.NewEncoder(conn).Encode(Report{Objects: all.Mallocs, Bytes: all.TotalAlloc})
			_ = conn.Close()
		}
	}()
	return nil
}

// Read asks the process that listens at the path.
func Read(path string) (Report, error) {
	conn, err := net.Dial("unix", path)
	if err != nil {
		return Report{}, fmt.Errorf("ask for allocations: %w", err)
	}
	defer conn.Close()
	var r Report
	if err := json.NewDecoder(conn).Decode(&r); err != nil {
		return Report{}, fmt.Errorf("read allocations: %w", err)
	}
	return r, nil
}
