// Command localstack runs the whole service on one machine, from template.yaml
// alone (make run). It needs Go and Node, but no Docker and no AWS account.
//
// PORT (3000) is the port, LISTEN (127.0.0.1) the address that it opens at, DATA_DIR (.data)
// the folder for tables, secrets and logs. DYNAMODB=local takes AWS's DynamoDB Local.
// LOG=console prints the functions' log lines. To set a template parameter, write its
// name in upper snake case, such as RATE_LIMIT_PER_MINUTE. PUBLIC_URL is the address of
// a proxy in front of the port (make chaos).
package main

import (
	"cmp"
	"context"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"

	"aviso.example/app/budget"
	aviso "aviso.example/client"

	"aviso/internal/sandbox"
	"aviso/localstack/document/docsite"
	"aviso/localstack/stack"
	"aviso/localstack/stack/command"
)

func main() { command.Main("", run) }

func run(ctx context.Context) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // as template.yaml has it for the functions
	}
	provision := flag.Bool("provision", false, "create tables, queues and secrets at AWS_ENDPOINT_URL, then exit")
	workers := flag.Bool("workers", false, "run queues, streams and schedules without the API, which sam local serves")
	flag.Parse()
	options, err := stack.Local()
	if err != nil {
		return err
	}
	options.Host = os.Getenv("LISTEN")
	options.BaseURL = cmp.Or(os.Getenv("PUBLIC_URL"), "http://localhost:"+strconv.Itoa(options.Port))
	options.Docs = docsite.Site{
		Folder: filepath.Join(filepath.Dir(options.Template), ".build", "docs"), BaseURL: options.BaseURL,
	}
	if *provision {
		return stack.Provision(ctx, options)
	}
	options.WorkersOnly = *workers
	partner, base := sandbox.LocalPartners()[0], options.BaseURL
	options.App, err = budget.New(ctx, budget.Config{
		PublicURL: base + stack.AppPath, Sandbox: true,
		Aviso: aviso.Config{BaseURL: base, ClientID: partner.ID, ClientSecret: partner.Secret},
	})
	if err != nil {
		return err
	}
	return stack.Run(ctx, options)
}
