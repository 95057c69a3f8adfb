package stack

import (
	"fmt"
	"io"
	"sync"
)

// console prints lines for the developer, one at a time.
type console struct {
	mu  sync.Mutex
	out io.Writer
}

func newConsole(out io.Writer) *console { return &console{out: out} }

func (c *console) line(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprintln(c.out, text)
}

// Write implements io.Writer for log lines, each of which arrives in one call.
func (c *console) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Write(b)
}

// readiness is what a developer wants to know once the stack runs.
type readiness struct {
	url, after, dataDir, lambda string
	endpoints                   endpoints
}

func (c *console) ready(r readiness) {
	text := fmt.Sprintf(`
Aviso is ready at %[1]s (started in %[2]s).

Get an access token:
    curl -s -u sandbox:sandbox-secret -d grant_type=client_credentials %[1]s/oauth2/token

  Start here %[1]s/
  Sandbox    %[1]s/sandbox
  Console    %[1]s/console
  Docs       %[1]s/docs
  Letters    %[1]s/sandbox/letters (what went out by e-mail, post and fax)
  DynamoDB   %[3]s
  SQS        %[4]s
  Secrets    %[6]s
  Lambda     %[5]s
`, r.url, r.after, r.endpoints.dynamoDB, r.endpoints.sqs, r.lambda, r.endpoints.secrets)
	if r.endpoints.inbox != "" {
		text += "  SES        " + r.endpoints.inbox + "\n"
	}
	text += "  Data, logs " + r.dataDir + "\n\nStop with Ctrl-C.\n"
	c.line(text)
}
