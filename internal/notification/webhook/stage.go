package webhook

import (
	"net/netip"
	"time"

	"aviso/internal/config"
)

// NewForStage returns a client that refuses the addresses that partners may not use in
// this stage. In Lambda it also refuses the runtime API, which listens on loopback next
// to the function.
func NewForStage(stage config.Stage, env config.Env, now func() time.Time) *Client {
	o := Options{Stage: stage, Now: now}
	if runtime, err := netip.ParseAddrPort(env("AWS_LAMBDA_RUNTIME_API")); err == nil {
		o.Refuse = append(o.Refuse, runtime)
	}
	return New(o)
}
