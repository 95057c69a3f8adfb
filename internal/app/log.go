package app

import (
	"io"
	"log/slog"
	"os"
)

// SetUpLog makes the process log JSON lines to w.
func SetUpLog(w io.Writer) { slog.SetDefault(slog.New(slog.NewJSONHandler(w, nil))) }

// Fail ends a function that cannot start, with the one line that says why.
func Fail(err error) {
	slog.Error("the function cannot start", "error", err.Error())
	os.Exit(1)
}
