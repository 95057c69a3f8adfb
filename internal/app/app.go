// Package app is all functions together, for what runs or checks all of them: the
// local stack, its seed, the measurements, the description of the interface. A
// function itself is a package below, which its main imports alone: what is linked
// runs at every start and is shipped in every binary. Both call the same
// constructors, so what runs on a laptop is what runs on AWS.
package app

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app/banksyncfn"
	"aviso/internal/app/cancellationfn"
	"aviso/internal/app/housekeepingfn"
	"aviso/internal/app/identityfn"
	"aviso/internal/app/letterdispatchfn"
	"aviso/internal/app/letterfeedbackfn"
	"aviso/internal/app/notificationfn"
	"aviso/internal/app/operatorfn"
	"aviso/internal/app/outboxrelayfn"
	"aviso/internal/app/pfmfn"
	"aviso/internal/app/sandboxfn"
	"aviso/internal/app/searchfn"
	"aviso/internal/app/webhookdeliveryfn"
	"aviso/internal/config"
)

// Constructor builds the handler of one function from its environment.
type Constructor func(ctx context.Context, env config.Env) (lambda.Handler, error)

// Functions holds the constructor of every function by the name of its folder
// in functions/, which is also its logical id in template.yaml without
// "Function" and in kebab case: BankSyncFunction is bank-sync.
func Functions() map[string]Constructor {
	return map[string]Constructor{
		"identity":         identityfn.New,
		"pfm":              pfmfn.New,
		"cancellation":     cancellationfn.New,
		"letter-dispatch":  letterdispatchfn.New,
		"letter-feedback":  letterfeedbackfn.New,
		"search":           searchfn.New,
		"sandbox":          sandboxfn.New,
		"outbox-relay":     outboxrelayfn.New,
		"bank-sync":        banksyncfn.New,
		"housekeeping":     housekeepingfn.New,
		"operator":         operatorfn.New,
		"notification":     notificationfn.New,
		"webhook-delivery": webhookdeliveryfn.New,
	}
}
