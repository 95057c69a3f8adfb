// Package command has the main function of the programs that developers run.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main runs a program. The first Ctrl-C ends its context, the second the program. An error is printed after the
// prefix and sets the exit status to 1. A request for help is not an error.
func Main(prefix string, run func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	if err := run(ctx); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, prefix+err.Error())
		os.Exit(1)
	}
}
