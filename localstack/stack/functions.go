package stack

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-lambda-go/lambda"
	"golang.org/x/sync/errgroup"

	"aviso/internal/config"
	"aviso/localstack/provision"
	"aviso/localstack/template"
)

// names are what the template's resources are called in this stack.
type names struct {
	baseURL                 string
	tpl                     *template.Template
	tables, queues, secrets map[string]string
}

// provision makes tables, queues and secrets side by side.
func (b *backends) provision(ctx context.Context, tpl *template.Template, baseURL string) (*names, error) {
	n := &names{baseURL: baseURL, tpl: tpl}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		n.tables, err = provision.Tables(ctx, b.dynamoDB(), tpl, "")
		return err
	})
	group.Go(func() (err error) {
		n.queues, err = provision.Queues(ctx, b.sqs(), tpl, "")
		return err
	})
	group.Go(func() (err error) {
		n.secrets, err = provision.Secrets(ctx, b.secrets(), tpl, "")
		return err
	})
	return n, group.Wait()
}

// resolve gives what !Ref and !GetAtt stand for here.
func (n *names) resolve(resource, attribute string) (string, error) {
	arn := "arn:aws:%s:" + template.Region + ":" + template.Account + ":%s"
	if table, ok := n.tables[resource]; ok {
		switch attribute {
		case "":
			return table, nil
		case "Arn":
			return fmt.Sprintf(arn, "dynamodb", "table/"+table), nil
		}
	}
	if url, ok := n.queues[resource]; ok {
		switch attribute {
		case "", "QueueUrl":
			return url, nil
		case "Arn":
			return provision.QueueARN(resource), nil
		case "QueueName":
			return resource, nil
		}
	}
	if secret, ok := n.secrets[resource]; ok && (attribute == "" || attribute == "Id") {
		return secret, nil
	}
	for _, set := range n.tpl.ConfigurationSets {
		if set.ID == resource && attribute == "" {
			return set.Name, nil
		}
	}
	for _, identity := range n.tpl.EmailIdentities {
		if identity.ID == resource && attribute == "" {
			return identity.Name, nil
		}
	}
	if f, ok := n.tpl.Function(resource); ok {
		switch attribute {
		case "":
			return f.Name, nil
		case "Arn":
			return fmt.Sprintf(arn, "lambda", "function:"+f.Name), nil
		}
	}
	if attribute == "ApiEndpoint" {
		return n.baseURL, nil
	}
	return "", fmt.Errorf("%s has no local value", strings.TrimSuffix(resource+"."+attribute, "."))
}

// environments gives the variables of every function, by its logical id: those
// that the template gives it and those that Lambda sets.
func environments(tpl *template.Template, n *names) (map[string]map[string]string, error) {
	all := make(map[string]map[string]string, len(tpl.Functions))
	for _, f := range tpl.Functions {
		variables, err := environment(f, n)
		if err != nil {
			return nil, fmt.Errorf("function %s: %w", f.Name, err)
		}
		all[f.ID] = variables
	}
	return all, nil
}

// build makes every function's handler, side by side as Lambda would, each with
// its own variables and those that lead to AWS, where the function is known by
// its name. seedEnv has the variables of all of them, and goes to AWS directly.
func build(ctx context.Context, tpl *template.Template, constructors map[string]Constructor, variables map[string]map[string]string, guarded, direct endpoints) (
	handlers map[string]lambda.Handler, seedEnv config.Env, err error,
) {
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

func environment(f template.Function, n *names) (map[string]string, error) {
	variables := map[string]string{
		"AWS_LAMBDA_FUNCTION_NAME":        f.Name,
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": strconv.Itoa(f.MemoryMB),
		"AWS_LAMBDA_INITIALIZATION_TYPE":  "on-demand",
		"TZ":                              ":UTC",
	}
	for _, name := range slices.Sorted(maps.Keys(f.Environment)) {
		value, err := f.Environment[name].Resolve(n.resolve)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		variables[name] = value
	}
	return variables, nil
}
