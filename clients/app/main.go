// Command app is a budgeting app that a partner could have written: it shows people what they
// spend and which contracts they have, and cancels those for them.
//
// AVISO_BASE_URL, AVISO_CLIENT_ID and AVISO_CLIENT_SECRET say where Aviso is and who calls. LISTEN
// (localhost:8080) is where the app listens, and PUBLIC_URL (http://localhost:8080) the address under
// which browsers and Aviso reach it. It has to be one of the partner's return URLs. SANDBOX=1 offers
// the sandbox's people, and lets months pass.
package main

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"time"

	"aviso.example/app/budget"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		slog.Error("the app has stopped", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	listen := cmp.Or(os.Getenv("LISTEN"), "localhost:8080")
	public := cmp.Or(os.Getenv("PUBLIC_URL"), "http://localhost:8080")
	app, err := budget.New(ctx, budget.Config{PublicURL: public, Sandbox: os.Getenv("SANDBOX") != ""})
	if err != nil {
		return err
	}
	server := &http.Server{Addr: listen, Handler: app, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	slog.Info("the app is ready", "address", public)
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}
