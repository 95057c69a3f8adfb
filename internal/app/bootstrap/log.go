package bootstrap

import (
	"io"
	"log/slog"
	"os"

	"aviso/internal/observe/metric"
	"aviso/internal/observe/trace"
)

// SetUpLog makes the process log JSON lines to w.
func SetUpLog(w io.Writer) { slog.SetDefault(NewLog(w, os.Getenv("ENVIRONMENT"))) }

// NewLog returns a logger that writes JSON lines to w. Each line has the environment and the
// trace that the work belongs to.
func NewLog(w io.Writer, environment string) *slog.Logger {
	return slog.New(trace.Log(slog.NewJSONHandler(w, nil))).With(metric.Environment, environment)
}

// Fail logs why a function cannot start, and exits.
func Fail(err error) {
	slog.Error("the function cannot start", "error", err.Error())
	os.Exit(1)
}
