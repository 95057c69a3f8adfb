package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"golang.org/x/sync/errgroup"

	"aviso/localstack/emulator"
	"aviso/localstack/secrets"
	"aviso/localstack/ses"
	"aviso/localstack/template"
)

// mailTravel is the time from sending a mail to its first event, and between its
// events.
const mailTravel = 250 * time.Millisecond

// endpoints are the addresses of the stack's AWS services. inbox is the page that
// shows mail, or "" if it is not known.
type endpoints struct {
	dynamoDB, streams, sqs, ses, secrets, inbox string
}

// backends are the AWS services of one stack: its own emulators, or the services that
// the environment names.
type backends struct {
	endpoints endpoints
	// mail is the local SES, or nil.
	mail *ses.Server
	// failed receives an error when the first emulator exits unexpectedly.
	failed chan error

	mu        sync.Mutex
	processes []*emulator.Process
	stopping  bool
	closers   []func() error
}

// startBackends starts an emulator for each service that neither AWS_ENDPOINT_URL nor
// AWS_ENDPOINT_URL_<SERVICE> names. For SES, only the latter counts.
func startBackends(ctx context.Context, o Options, tpl *template.Template, say func(string)) (*backends, error) {
	b := &backends{endpoints: given(o.Getenv), failed: make(chan error, 1)}
	options := func(file string) emulator.Options {
		if o.InMemory {
			return emulator.Options{Progress: say}
		}
		return emulator.Options{DBPath: filepath.Join(o.DataDir, file), Progress: say}
	}
	group, starting := errgroup.WithContext(ctx)
	if b.endpoints.dynamoDB == "" {
		group.Go(func() error {
			url, err := b.start(starting, options("dynamodb.sqlite"), emulator.StartDynamoDB)
			b.endpoints.dynamoDB, b.endpoints.streams = url, url
			return err
		})
	}
	if b.endpoints.sqs == "" {
		group.Go(func() (err error) {
			b.endpoints.sqs, err = b.start(starting, options("queues.jsonl"), emulator.StartSQS)
			return err
		})
	}
	group.Go(func() error { return b.serveMail(o.DataDir, tpl, say) })
	if b.endpoints.secrets == "" {
		group.Go(func() (err error) {
			b.endpoints.secrets, err = b.serveSecrets(o.DataDir)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, errors.Join(err, b.stop())
	}
	if err := b.export(); err != nil {
		return nil, errors.Join(err, b.stop())
	}
	return b, nil
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

type starter func(context.Context, emulator.Options) (*emulator.Process, error)

func (b *backends) start(ctx context.Context, o emulator.Options, start starter) (string, error) {
	p, err := start(ctx, o)
	if err != nil {
		return "", err
	}
	b.mu.Lock()
	if b.stopping {
		b.mu.Unlock()
		return "", errors.Join(errors.New("the stack stops"), p.Stop())
	}
	b.processes = append(b.processes, p)
	b.mu.Unlock()
	go func() {
		<-p.Ended()
		b.mu.Lock()
		defer b.mu.Unlock()
		if !b.stopping {
			select {
			case b.failed <- fmt.Errorf("the emulator at %s exited unexpectedly: %s", p.URL, p.Output()):
			default: // Another one exited first.
			}
		}
	}()
	return p.URL, nil
}

func (b *backends) serveSecrets(dataDir string) (string, error) {
	store, err := secrets.Open(filepath.Join(dataDir, "secrets.json"))
	if err != nil {
		return "", err
	}
	return b.serve(store)
}

// serveMail starts the local SES, unless the environment names another.
func (b *backends) serveMail(dataDir string, tpl *template.Template, say func(string)) (err error) {
	if b.endpoints.ses != "" {
		return nil
	}
	b.mail = ses.New(ses.Options{
		Dir:               filepath.Join(dataDir, "mail"),
		ConfigurationSets: tpl.ConfigurationSets,
		Identities:        tpl.EmailIdentities,
		Travel:            mailTravel,
		Tell:              say,
		Now:               time.Now,
	})
	b.endpoints.ses, err = b.serve(b.mail)
	b.endpoints.inbox = b.endpoints.ses
	return err
}

func (b *backends) closeLater(closer func() error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closers = append(b.closers, closer)
}

// serve serves handler on a free loopback port.
func (b *backends) serve(handler http.Handler) (url string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listen on loopback: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	b.closeLater(server.Close)
	return "http://" + listener.Addr().String(), nil
}

// saveAddresses writes addresses to the data folder, where other programs find them. They
// are removed when the stack stops.
func (b *backends) saveAddresses(dataDir string, addresses map[string]string) error {
	for name, url := range addresses {
		if url == "" {
			continue
		}
		path := filepath.Join(dataDir, name)
		if err := os.WriteFile(path, []byte(url+"\n"), 0o600); err != nil {
			return fmt.Errorf("save an address: %w", err)
		}
		b.closeLater(func() error { return os.Remove(path) })
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
	b.mu.Lock()
	b.stopping = true
	processes, closers := b.processes, b.closers
	b.mu.Unlock()
	var group errgroup.Group
	for _, p := range processes {
		group.Go(p.Stop)
	}
	var errs []error
	for _, closer := range closers {
		errs = append(errs, closer())
	}
	return errors.Join(append(errs, group.Wait())...)
}

// Emulators accept any credentials, and AWS would refuse these if a call ever left the
// machine.
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

// export sets the variables of this process, because the SDK reads those too. If it found
// an address for all services there, it would ignore the ones that each function gets.
// A developer's configuration for real accounts must not take part.
func (b *backends) export() error {
	for name, value := range b.endpoints.variables(dummyKey) {
		if err := os.Setenv(name, value); err != nil {
			return fmt.Errorf("set %s: %w", name, err)
		}
	}
	for _, name := range []string{
		"AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SESSION_TOKEN", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
	} {
		if err := os.Unsetenv(name); err != nil {
			return fmt.Errorf("unset %s: %w", name, err)
		}
	}
	return nil
}

func (b *backends) config(endpoint string) aws.Config {
	return aws.Config{
		Region:       template.Region,
		Credentials:  credentials.NewStaticCredentialsProvider(dummyKey, dummyKey, ""),
		BaseEndpoint: aws.String(endpoint),
	}
}

func (b *backends) dynamoDB() *dynamodb.Client {
	return dynamodb.NewFromConfig(b.config(b.endpoints.dynamoDB))
}

func (b *backends) streams() *dynamodbstreams.Client {
	return dynamodbstreams.NewFromConfig(b.config(b.endpoints.streams))
}

func (b *backends) sqs() *sqs.Client { return sqs.NewFromConfig(b.config(b.endpoints.sqs)) }

func (b *backends) secrets() *secretsmanager.Client {
	return secretsmanager.NewFromConfig(b.config(b.endpoints.secrets))
}
