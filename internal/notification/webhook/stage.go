package webhook

import (
	"net/netip"
	"strings"
	"time"

	"aviso/internal/aws/config"
)

// keep is how long connections are kept. It is less than servers keep them: if the receiver closes a connection at
// the moment of a call, the call must be repeated. The shortest default in wide use is Node's 5 seconds.
const keep = 2 * time.Second

// NewForStage returns a client that refuses addresses that partners may not use in this stage. In Lambda it also
// refuses the runtime API, which listens on loopback, and in the local stack the servers that listen there only for
// functions.
func NewForStage(stage config.Stage, env config.Env, now func() time.Time) *Client {
	o := Options{Stage: stage, Now: now, Keep: keep, KeepAnswers: stage != config.Production}
	for _, address := range append(strings.Fields(env("LOCAL_ADDRESSES")), env("AWS_LAMBDA_RUNTIME_API")) {
		if a, err := netip.ParseAddrPort(address); err == nil {
			o.Refuse = append(o.Refuse, a)
		}
	}
	return New(o)
}
