// Command aviso calls the Aviso API from a terminal: it is for partners who try it, test
// against it, or look something up.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"aviso.example/cli/internal/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first signal, a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(command.Run(ctx, command.FromSystem(), os.Args[1:]))
}
