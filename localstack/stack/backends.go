package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"golang.org/x/sync/errgroup"

	"aviso/internal/app"
	"aviso/internal/aws/config"
	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/stack/provision"
	"aviso/localstack/stack/secrets"
	"aviso/localstack/stack/ses"
	"aviso/localstack/template"
	"aviso/localstack/template/iam"
)

// mailTravel is the time from sending a mail to its first event, and between its events.
const mailTravel = 250 * time.Millisecond

// endpoints are the addresses of the stack's AWS services. inbox is the page that shows mail, or "" if it is unknown.
type endpoints struct {
	dynamoDB, streams, sqs, ses, secrets, inbox string
}

// backends are the AWS services of one stack: its own emulators, or services named in the environment.
type backends struct {
	endpoints endpoints
	// mail is the local SES, or nil.
	mail *ses.Server
	// failed receives an error when the first emulator exits unexpectedly.
	failed   chan error
	stopping chan struct{}
	closers  []func() error

	mu        sync.Mutex
	processes []*emulator.Process // guarded by mu
}

// startBackends starts an emulator for each service without AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_<SERVICE>. For SES,
// only the latter counts.
func startBackends(ctx context.Context, o Options, tpl *template.Template, say func(string)) (b *backends, err error) {
	b = &backends{endpoints: given(o.Getenv), failed: make(chan error, 1), stopping: make(chan struct{})}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.stop())
		}
	}()
	if b.endpoints.ses == "" {
		b.mail = ses.New(ses.Options{
			Dir:               filepath.Join(o.DataDir, "mail"),
			ConfigurationSets: tpl.ConfigurationSets, Identities: tpl.EmailIdentities,
			Travel: mailTravel, Tell: say, Now: time.Now,
		})
		if b.endpoints.ses, err = b.serve(b.mail); err != nil {
			return nil, err
		}
		b.endpoints.inbox = b.endpoints.ses
	}
	if b.endpoints.secrets == "" {
		store, err := secrets.Open(filepath.Join(o.DataDir, "secrets.json"))
		if err != nil {
			return nil, err
		}
		if b.endpoints.secrets, err = b.serve(store); err != nil {
			return nil, err
		}
	}
	if o.Memdb && b.endpoints.dynamoDB == "" {
		if b.endpoints.dynamoDB, err = b.serve(memdb.New(nil)); err != nil {
			return nil, err
		}
	}
	group, starting := errgroup.WithContext(ctx)
	start := func(address *string, file string, start func(context.Context, string) (*emulator.Process, error)) {
		if *address != "" {
			return
		}
		path := filepath.Join(o.DataDir, file)
		if o.InMemory {
			path = ""
		}
		group.Go(func() error {
			p, err := start(starting, path)
			if err != nil {
				return err
			}
			*address = p.URL
			b.watch(p)
			return nil
		})
	}
	start(&b.endpoints.dynamoDB, "dynamodb.sqlite", emulator.StartDynamoDB)
	start(&b.endpoints.sqs, "queues.jsonl", emulator.StartSQS)
	if err := group.Wait(); err != nil {
		return nil, err
	}
	b.endpoints.streams = cmp.Or(b.endpoints.streams, b.endpoints.dynamoDB)
	err = b.export()
	return b, err
}

// watch reports an emulator that exits unexpectedly.
func (b *backends) watch(p *emulator.Process) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.processes = append(b.processes, p)
	go func() {
		<-p.Ended()
		select {
		case <-b.stopping:
		case b.failed <- fmt.Errorf("the emulator at %s exited unexpectedly: %s", p.URL, p.Output()):
		default: // Another one exited first.
		}
	}()
}

// given returns the endpoints that the environment names.
func given(getenv func(string) string) endpoints {
	service := func(name string) string {
		return cmp.Or(getenv("AWS_ENDPOINT_URL_"+name), getenv("AWS_ENDPOINT_URL"))
	}
	return endpoints{
		dynamoDB: service("DYNAMODB"),
		streams:  cmp.Or(getenv("AWS_ENDPOINT_URL_DYNAMODB_STREAMS"), service("DYNAMODB")),
		sqs:      service("SQS"),
		// AWS_ENDPOINT_URL does not count, because LocalStack's free edition has no SES v2.
		ses:     getenv("AWS_ENDPOINT_URL_SESV2"),
		secrets: service("SECRETS_MANAGER"),
	}
}

// serve serves handler on a free loopback port.
func (b *backends) serve(handler http.Handler) (url string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listen on loopback: %w", err)
	}
	return b.serveOn(listener, handler), nil
}

func (b *backends) serveOn(listener net.Listener, handler http.Handler) (url string) {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	// Close fails if the listener is already closed, like the one of invocations.
	b.closers = append(b.closers, func() error { _ = server.Close(); return nil })
	return "http://" + listener.Addr().String()
}

// saveAddresses writes addresses to the data folder for other programs. They are removed when the stack stops.
func (b *backends) saveAddresses(dataDir string, addresses map[string]string) error {
	for name, url := range addresses {
		if url == "" {
			continue
		}
		path := filepath.Join(dataDir, name)
		if err := os.WriteFile(path, []byte(url+"\n"), 0o600); err != nil {
			return fmt.Errorf("save an address: %w", err)
		}
		b.closers = append(b.closers, func() error { return os.Remove(path) })
	}
	return nil
}

// withCause adds to err the output of an emulator that has exited unexpectedly.
func (b *backends) withCause(err error) error {
	select {
	case cause := <-b.failed:
		return errors.Join(cause, err)
	default:
		return err
	}
}

// stop stops everything that was started and waits for it.
func (b *backends) stop() error {
	close(b.stopping)
	var group errgroup.Group
	for _, p := range b.processes {
		group.Go(p.Stop)
	}
	var errs []error
	for _, closer := range b.closers {
		errs = append(errs, closer())
	}
	return errors.Join(append(errs, group.Wait())...)
}

// Emulators accept any credentials. AWS would reject these if a call ever left the machine.
const dummyKey = "local"

// variables returns the variables that make an AWS SDK use the services at e.
func (e endpoints) variables(accessKey string) map[string]string {
	return map[string]string{
		"AWS_REGION":                        template.Region,
		"AWS_DEFAULT_REGION":                template.Region,
		"AWS_ACCESS_KEY_ID":                 accessKey,
		"AWS_SECRET_ACCESS_KEY":             dummyKey,
		"AWS_ENDPOINT_URL_DYNAMODB":         e.dynamoDB,
		"AWS_ENDPOINT_URL_DYNAMODB_STREAMS": e.streams,
		"AWS_ENDPOINT_URL_SQS":              e.sqs,
		"AWS_ENDPOINT_URL_SESV2":            e.ses,
		"AWS_ENDPOINT_URL_SECRETS_MANAGER":  e.secrets,
		"AWS_EC2_METADATA_DISABLED":         "true",
		"AWS_CONFIG_FILE":                   os.DevNull,
		"AWS_SHARED_CREDENTIALS_FILE":       os.DevNull,
	}
}

// local returns the hosts of the services, with their ports. Partners' callbacks must not reach them, because they
// answer everybody.
func (e endpoints) local() string {
	urls := strings.Join([]string{e.dynamoDB, e.streams, e.sqs, e.ses, e.secrets, ""}, " ")
	return strings.NewReplacer("http://", "", "localhost", "127.0.0.1").Replace(urls)
}

// export sets the variables of this process, because the SDK reads them too. With an address for all services, the
// SDK would ignore the addresses of single functions. A developer's configuration for real accounts must not apply.
func (b *backends) export() error {
	var errs []error
	for name, value := range b.endpoints.variables(dummyKey) {
		errs = append(errs, os.Setenv(name, value))
	}
	for _, name := range []string{
		"AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SESSION_TOKEN", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
	} {
		errs = append(errs, os.Unsetenv(name))
	}
	return errors.Join(errs...)
}

// guard returns the guard that enforces the functions' policies in front of the services.
func guard(tpl *template.Template, r *provision.Resources, say func(string)) (*iam.Guard, error) {
	permitted := &iam.Guard{
		PartitionKeys: map[string]string{}, Identities: tpl.EmailIdentities,
		Policies: map[string][]template.Statement{},
		Denied:   func(reason string) { say("denied: " + reason) },
	}
	for _, table := range tpl.Tables {
		permitted.PartitionKeys[r.Tables[table.ID]] = *table.Definition.KeySchema[0].AttributeName
	}
	for _, f := range tpl.Functions {
		statements, err := statements(r, f)
		if err != nil {
			return nil, fmt.Errorf("policies of %s: %w", f.ID, err)
		}
		permitted.Policies[f.Name] = statements
	}
	return permitted, nil
}

// isElsewhere reports whether an action belongs to a service that the local stack lacks.
func isElsewhere(action string) bool {
	service, _, _ := strings.Cut(action, ":")
	return slices.Contains([]string{"logs", "xray", "kms"}, service)
}

// statements returns a function's policies, with the ARNs of this stack's resources.
func statements(r *provision.Resources, f template.Function) ([]template.Statement, error) {
	var all []template.Statement
	for _, policy := range f.Policies {
		if slices.ContainsFunc(policy.Actions, isElsewhere) {
			continue
		}
		arns := make([]template.Value, len(policy.Resources))
		for i, resource := range policy.Resources {
			arn, err := resource.Resolve(r.Resolve)
			if err != nil {
				return nil, err
			}
			arns[i] = template.Value(arn)
		}
		policy.Resources = arns
		all = append(all, policy)
	}
	return all, nil
}

// guarded is a function whose calls are checked. That includes clients that it creates later.
type guarded struct {
	lambda.Handler
	client func(service aws.HTTPClient) aws.HTTPClient
}

// Invoke implements lambda.Handler.
func (g guarded) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	return g.Handler.Invoke(config.WithHTTPClient(ctx, g.client), payload)
}

// build builds the handlers of all functions, concurrently as on Lambda. Each gets its own variables and the AWS
// endpoints. It calls AWS under its own name, within its policies. seedEnv has the variables of all functions.
func build(
	ctx context.Context, tpl *template.Template, constructors map[string]app.Constructor,
	variables map[string]map[string]string, permitted *iam.Guard, services endpoints, invocations net.Addr,
) (handlers map[string]lambda.Handler, seedEnv config.Env, err error) {
	handlers = make(map[string]lambda.Handler, len(tpl.Functions))
	merged := map[string]string{}
	var mu sync.Mutex
	committed := &tokens{}
	client := func(service aws.HTTPClient) aws.HTTPClient { return permitted.Client(committed.client(service)) }
	group, ctx := errgroup.WithContext(config.WithHTTPClient(ctx, client))
	for _, f := range tpl.Functions {
		own := maps.Clone(variables[f.ID])
		maps.Copy(merged, own)
		maps.Copy(own, services.variables(f.Name))
		own["LOCAL_ADDRESSES"] = services.local() + invocations.String()
		group.Go(func() error {
			handler, err := constructors[f.Name](ctx, func(name string) string { return own[name] })
			if err != nil {
				return fmt.Errorf("function %s: %w", f.Name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			handlers[f.ID] = guarded{handler, client}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	maps.Copy(merged, services.variables(dummyKey))
	return handlers, func(name string) string { return merged[name] }, nil
}

// Provision only creates the template's tables, queues and secrets, at the endpoints in the environment. Run does
// this too; Provision is for inspecting the resources without running the service.
func Provision(ctx context.Context, o Options) error {
	tpl, err := template.Load(o.Template, parameters("http://localhost:"+strconv.Itoa(o.Port), o.Getenv))
	if err != nil {
		return err
	}
	e := given(o.Getenv)
	if e.dynamoDB == "" || e.sqs == "" || e.secrets == "" {
		return errors.New("set AWS_ENDPOINT_URL to the address of DynamoDB, SQS and Secrets Manager")
	}
	resources, err := provision.All(ctx, provision.Connect(e.dynamoDB, e.sqs, e.secrets), tpl)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.Console, "%d tables, %d queues and %d secrets are ready\n",
		len(resources.Tables), len(resources.Queues), len(resources.Secrets))
	return err
}
