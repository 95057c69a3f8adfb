package webhook

import (
	"net/netip"
	"strings"
	"time"

	"aviso/internal/aws/config"
)

// keep is how long connections are kept: less than servers do, because a call on one that its
// receiver closes at that moment has to be made again. Node's 5 seconds are the shortest default of
// those in wide use.
const keep = 2 * time.Second

// NewForStage returns a client that refuses the addresses that partners may not use in
// this stage. In Lambda it also refuses the runtime API, which listens on loopback next
// to the function, and in the local stack what listens there for the functions alone.
func NewForStage(stage config.Stage, env config.Env, now func() time.Time) *Client {
	o := Options{Stage: stage, Now: now, Keep: keep, KeepAnswers: stage != config.Production}
	for _, address := range append(strings.Fields(env("LOCAL_ADDRESSES")), env("AWS_LAMBDA_RUNTIME_API")) {
		if a, err := netip.ParseAddrPort(address); err == nil {
			o.Refuse = append(o.Refuse, a)
		}
	}
	return New(o)
}
