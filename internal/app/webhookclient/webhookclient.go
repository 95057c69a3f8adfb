// Package webhookclient wires the client that posts to partners' servers.
package webhookclient

import (
	"net/netip"
	"os"
	"time"

	"aviso/internal/config"
	"aviso/internal/notification/webhook"
)

// New refuses the addresses that are not for partners at this stage.
func New(stage config.Stage) *webhook.Client {
	o := webhook.Options{Stage: stage, Now: time.Now}
	// Lambda's runtime API listens on loopback, beside the function.
	if runtime, err := netip.ParseAddrPort(os.Getenv("AWS_LAMBDA_RUNTIME_API")); err == nil {
		o.Refuse = append(o.Refuse, runtime)
	}
	return webhook.New(o)
}
