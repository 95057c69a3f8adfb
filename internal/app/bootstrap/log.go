package bootstrap

import (
	"context"
	"io"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/aws/config"
	"aviso/internal/observe"
)

// SetUpLog makes the process log JSON lines to w.
func SetUpLog(w io.Writer) { slog.SetDefault(NewLog(w, os.Getenv("STACK"))) }

// NewLog returns a logger that writes JSON lines to w. Each line has the stack and the
// trace that the work belongs to.
func NewLog(w io.Writer, stack string) *slog.Logger {
	return slog.New(observe.LogTrace(slog.NewJSONHandler(w, nil))).With(observe.Stack, stack)
}

// Main runs the function that build returns, with the process's environment.
func Main(build func(context.Context, config.Env) (lambda.Handler, error)) {
	SetUpLog(os.Stdout)
	handler, err := build(context.Background(), os.Getenv)
	if err != nil {
		slog.Error("the function cannot start", "error", err.Error())
		os.Exit(1)
	}
	lambda.Start(handler)
}
