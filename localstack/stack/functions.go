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

// provision creates tables, queues and secrets.
func (b *backends) provision(
	ctx context.Context, tpl *template.Template, baseURL string,
) (*provision.Resources, error) {
	clients := provision.Clients{DynamoDB: b.dynamoDB(), SQS: b.sqs(), Secrets: b.secrets()}
	return provision.All(ctx, clients, tpl, baseURL, "")
}

// environments returns each function's variables by its logical ID: those from the
// template and those that Lambda sets.
func environments(tpl *template.Template, r *provision.Resources) (map[string]map[string]string, error) {
	all := make(map[string]map[string]string, len(tpl.Functions))
	for _, f := range tpl.Functions {
		variables, err := r.Environment(f)
		if err != nil {
			return nil, fmt.Errorf("function %s: %w", f.Name, err)
		}
		all[f.ID] = variables
	}
	return all, nil
}

// build builds every function's handler, concurrently as on Lambda. Each gets its own
// variables and the AWS endpoints, which it calls under its own name. seedEnv has the
// variables of all functions, and the unguarded endpoints.
func build(
	ctx context.Context, tpl *template.Template, constructors map[string]Constructor,
	variables map[string]map[string]string, guarded, direct endpoints,
) (handlers map[string]lambda.Handler, seedEnv config.Env, err error) {
	handlers = make(map[string]lambda.Handler, len(tpl.Functions))
	merged := map[string]string{}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for _, f := range tpl.Functions {
		own := maps.Clone(variables[f.ID])
		maps.Copy(merged, own)
		maps.Copy(own, guarded.variables(f.Name))
		group.Go(func() error {
			handler, err := constructors[f.Name](ctx, func(name string) string { return own[name] })
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
	maps.Copy(merged, direct.variables(dummyKey))
	return handlers, func(name string) string { return merged[name] }, nil
}

// missing returns an error that names the template's functions without code.
func missing(tpl *template.Template, constructors map[string]Constructor) error {
	var faults []error
	for _, f := range tpl.Functions {
		if constructors[f.Name] == nil {
			err := fmt.Errorf("%s is in the template, but internal/app has no function %q", f.ID, f.Name)
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}
