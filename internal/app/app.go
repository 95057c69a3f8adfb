// Package app wires each function together: configuration in, handler out. The
// Lambda entry points in functions/ and the local stack both call the
// constructors here, so what runs on a laptop is what runs on AWS.
package app

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/config"
)

// Constructor builds the handler of one function from its environment.
type Constructor func(ctx context.Context, env config.Env) (lambda.Handler, error)

// Functions holds the constructor of every function by the name of its folder
// in functions/, which is also its logical id in template.yaml without
// "Function" and in kebab case: BankSyncFunction is bank-sync.
func Functions() map[string]Constructor {
	return map[string]Constructor{}
}
