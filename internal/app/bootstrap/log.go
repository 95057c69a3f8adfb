package bootstrap

import (
	"io"
	"log/slog"
	"os"

	"aviso/internal/metric"
)

// SetUpLog makes the process log JSON lines to w. Each line has the environment.
func SetUpLog(w io.Writer) {
	slog.SetDefault(slog.New(slog.NewJSONHandler(w, nil)).With(metric.Environment, os.Getenv("ENVIRONMENT")))
}

// Fail logs why a function cannot start, and exits.
func Fail(err error) {
	slog.Error("the function cannot start", "error", err.Error())
	os.Exit(1)
}
