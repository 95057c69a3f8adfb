// Package app lists all functions, for code that runs or checks all of them. Each function has its own package below,
// and its main imports only that: all linked code slows down every cold start. Both use the same constructors, so a
// laptop runs the same code as AWS.
package app

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app/banksyncfn"
	"aviso/internal/app/cancellationfn"
	"aviso/internal/app/clockfn"
	"aviso/internal/app/consolefn"
	"aviso/internal/app/housekeepingfn"
	"aviso/internal/app/identityfn"
	"aviso/internal/app/letterdispatchfn"
	"aviso/internal/app/letterfeedbackfn"
	"aviso/internal/app/notificationfn"
	"aviso/internal/app/operatorfn"
	"aviso/internal/app/outboxrelayfn"
	"aviso/internal/app/pfmfn"
	"aviso/internal/app/replyreaderfn"
	"aviso/internal/app/sandboxfn"
	"aviso/internal/app/searchfn"
	"aviso/internal/app/webhookdeliveryfn"
	"aviso/internal/aws/config"
)

// Constructor builds the handler of one function from its environment.
type Constructor func(ctx context.Context, env config.Env) (lambda.Handler, error)

// Functions returns the constructor of every function by the name of its folder in
// functions/. The name is the function's logical ID in template.yaml, in kebab case
// and without "Function": BankSyncFunction is bank-sync.
func Functions() map[string]Constructor {
	return map[string]Constructor{
		"identity":         identityfn.New,
		"pfm":              pfmfn.New,
		"cancellation":     cancellationfn.New,
		"letter-dispatch":  letterdispatchfn.New,
		"letter-feedback":  letterfeedbackfn.New,
		"reply-reader":     replyreaderfn.New,
		"search":           searchfn.New,
		"sandbox":          sandboxfn.New,
		"console":          consolefn.New,
		"outbox-relay":     outboxrelayfn.New,
		"bank-sync":        banksyncfn.New,
		"clock":            clockfn.New,
		"housekeeping":     housekeepingfn.New,
		"operator":         operatorfn.New,
		"notification":     notificationfn.New,
		"webhook-delivery": webhookdeliveryfn.New,
	}
}
