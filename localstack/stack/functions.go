package stack

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/aws/aws-lambda-go/lambda"
	"golang.org/x/sync/errgroup"

	"aviso/internal/config"
	"aviso/localstack/provision"
	"aviso/localstack/template"
)

// provision makes tables, queues and secrets.
func (b *backends) provision(ctx context.Context, tpl *template.Template, baseURL string) (*provision.Resources, error) {
	return provision.All(ctx, provision.Clients{DynamoDB: b.dynamoDB(), SQS: b.sqs(), Secrets: b.secrets()}, tpl, baseURL, "")
}

// build makes every function's handler, side by side as Lambda would, each with
// the variables that the template gives it and those that Lambda sets. seedEnv
// has the variables of all of them.
func build(ctx context.Context, tpl *template.Template, constructors map[string]Constructor, r *provision.Resources) (
	handlers map[string]lambda.Handler, seedEnv config.Env, err error,
) {
	handlers = make(map[string]lambda.Handler, len(tpl.Functions))
	merged := map[string]string{}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for _, f := range tpl.Functions {
		variables, err := r.Environment(f)
		if err != nil {
			return nil, nil, fmt.Errorf("function %s: %w", f.Name, err)
		}
		maps.Copy(merged, variables)
		group.Go(func() error {
			handler, err := constructors[f.Name](ctx, func(name string) string { return variables[name] })
			if err != nil {
				return fmt.Errorf("function %s: %w", f.Name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			handlers[f.ID] = handler
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	return handlers, func(name string) string { return merged[name] }, nil
}

// missing names the functions of the template that have no code.
func missing(tpl *template.Template, constructors map[string]Constructor) error {
	var faults []error
	for _, f := range tpl.Functions {
		if constructors[f.Name] == nil {
			faults = append(faults, fmt.Errorf("%s is in the template, but internal/app has no function %q", f.ID, f.Name))
		}
	}
	return errors.Join(faults...)
}
