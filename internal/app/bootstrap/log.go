package bootstrap

import (
	"io"
	"log/slog"
	"os"

	"aviso/internal/observe"
)

// SetUpLog makes the process log JSON lines to w.
func SetUpLog(w io.Writer) { slog.SetDefault(NewLog(w, os.Getenv("STACK"))) }

// NewLog returns a logger that writes JSON lines to w. Each line has the stack and the
// trace that the work belongs to.
func NewLog(w io.Writer, stack string) *slog.Logger {
	return slog.New(observe.LogTrace(slog.NewJSONHandler(w, nil))).With(observe.Stack, stack)
}
