package webhookbench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/relay"
	"aviso/internal/app/webhookdeliveryfn"
	"aviso/internal/aws/config"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/notificationtest"
	"aviso/internal/notification/webhook"
	"aviso/localstack/emulator"
	"aviso/localstack/host"
	"aviso/localstack/template"
	"aviso/localstack/testenv"
)

// backends are what a service works with.
type backends struct {
	DynamoDB, SQS  string // addresses, without the ones in between that count
	Tables, Queues map[string]string
	Positions      string
}

// asService makes the test binary a service with these backends.
const asService = "WEBHOOKBENCH_SERVICE"

func TestMain(m *testing.M) {
	text := os.Getenv(asService)
	if text == "" {
		os.Exit(m.Run())
	}
	if err := serve(text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The functions on the way.
const publisher, relaying, delivering = "NotificationFunction", "OutboxRelayFunction", "WebhookDeliveryFunction"

// serve runs the functions between a request that publishes an event and its receiver on the local
// host, until standard input ends.
func serve(text string) error {
	var b backends
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		return err
	}
	clients, err := bootstrap.NewClients(os.Getenv)
	if err != nil {
		return err
	}
	folder, err := emulator.Folder()
	if err != nil {
		return err
	}
	tpl, err := template.Load(filepath.Join(folder, "..", "template.yaml"), func(parameter string) (string, bool) {
		return "local", parameter == "Environment"
	})
	if err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	slog.SetDefault(log)
	messages := sqs.NewFromConfig(clients.Config)
	store := notificationdb.New(
		clients.Dynamo, b.Tables["NotificationTable"], b.Tables["OutboxTable"], notificationtest.Sealer{}, time.Now, bootstrap.NewID)
	sender := queue.NewSender(messages, map[string]string{
		outbox.DeliveryQueue: b.Queues["DeliveryQueue"], webhookdeliveryfn.RetryQueue: b.Queues["RetryQueue"],
	})
	deliverer := notification.NewDeliverer(store, webhook.NewForStage(config.Local, os.Getenv, time.Now).Call,
		[]time.Duration{15 * time.Minute, time.Hour}, time.Now, bootstrap.NewSortableID)
	deliverer.PartnerCalls = 125
	worker := func(first bool) *queue.Worker[notification.DeliveryKey] {
		d := *deliverer
		d.First = first
		return &queue.Worker[notification.DeliveryKey]{
			Service: "webhook-delivery", Client: messages, URL: b.Queues["DeliveryQueue"], Log: log, Now: time.Now,
			Work: webhookdeliveryfn.DeliverOrWait(d.Deliver, sender),
		}
	}
	first, again := worker(true), worker(false)
	deliver := func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		if queue.IsFrom(e.Records[0], "RetryQueue") {
			return again.Handle(ctx, e)
		}
		return first.Handle(ctx, e)
	}
	fanOut := relay.NewSender(sender, store, "local", nil, time.Now)
	relays := outbox.NewRelay(clients.Dynamo, b.Tables["OutboxTable"], fanOut, time.Now, log)
	database := testenv.Config(b.DynamoDB)
	h, err := host.New(host.Options{
		Template: onTheWay(*tpl),
		Functions: map[string]lambda.Handler{
			publisher:  lambda.NewHandler(publish(store)),
			relaying:   bootstrap.Handler[outbox.Stream, events.DynamoDBEventResponse](relays.HandleStream),
			delivering: bootstrap.Handler[events.SQSEvent, events.SQSEventResponse](deliver),
		},
		Tables: b.Tables, Queues: b.Queues, DynamoDB: dynamodb.NewFromConfig(database),
		Streams: dynamodbstreams.NewFromConfig(database), SQS: sqs.NewFromConfig(testenv.Config(b.SQS)),
		Positions: b.Positions, Tell: func(string) {}, Log: log,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	h.Start()
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	fmt.Println("http://" + listener.Addr().String())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// publish is a function of the API that writes an event.
func publish(store *notificationdb.Store) func(
	context.Context, events.APIGatewayV2HTTPRequest,
) (events.APIGatewayV2HTTPResponse, error) {
	return func(ctx context.Context, r events.APIGatewayV2HTTPRequest) (answer events.APIGatewayV2HTTPResponse, err error) {
		var e outbox.Event
		if err := json.Unmarshal([]byte(r.Body), &e); err != nil {
			return answer, err
		}
		return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusAccepted}, store.PutEvent(ctx, e)
	}
}

// onTheWay returns what the template has of the functions on the way.
func onTheWay(tpl template.Template) *template.Template {
	is := map[string]bool{publisher: true, relaying: true, delivering: true}
	tpl.Functions = keep(tpl.Functions, func(f template.Function) bool { return is[f.ID] })
	tpl.Routes = keep(tpl.Routes, func(r template.Route) bool { return r.Function == publisher })
	tpl.Streams = keep(tpl.Streams, func(m template.StreamMapping) bool { return m.Function == relaying })
	tpl.QueueMappings = keep(tpl.QueueMappings, func(m template.QueueMapping) bool { return m.Function == delivering })
	tpl.Schedules, tpl.Rules, tpl.LogSubscriptions = nil, nil, nil
	return &tpl
}

func keep[T any](all []T, wanted func(T) bool) (kept []T) {
	for _, x := range all {
		if wanted(x) {
			kept = append(kept, x)
		}
	}
	return kept
}

// process is a service in a process of its own.
type process struct {
	command *exec.Cmd
	stdin   io.Closer
	url     string
}

// start starts a service, whose functions find AWS at these addresses.
func start(t testing.TB, b backends, env ...string) *process {
	t.Helper()
	text, err := json.Marshal(b)
	require.NoError(t, err)
	p := &process{command: exec.Command(os.Args[0])} // #nosec G702 -- this program
	p.command.Env = append(os.Environ(), append([]string{
		asService + "=" + string(text), "AWS_REGION=" + template.Region, "AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local",
		"GOGC=400", // as in template.yaml
	}, env...)...)
	p.command.Stderr = os.Stderr
	p.stdin, err = p.command.StdinPipe()
	require.NoError(t, err)
	out, err := p.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.command.Start())
	t.Cleanup(func() { p.kill() })
	p.url, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	p.url = strings.TrimSpace(p.url)
	return p
}

// kill ends the process as kill -9 does.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	_ = p.stdin.Close()
	_ = p.command.Wait()
}

// cpu returns the processor time that the process has used.
func (p *process) cpu() time.Duration {
	const user, system, tick = 11, 12, 10 * time.Millisecond // after the name
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	u, err := strconv.Atoi(fields[user])
	s, other := strconv.Atoi(fields[system])
	if errors.Join(err, other) != nil {
		return 0
	}
	return time.Duration(u+s) * tick
}

// memory returns the most memory that the process has had, in MB.
func (p *process) memory() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes, _ := strconv.ParseFloat(strings.Fields(rest + " 0")[0], 64)
	return kilobytes / 1000
}
