package outbox_test

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/localstack/tests/testenv"
)

// The lines at which a process is killed.
const (
	beforeCommit = "before the commit"
	afterCommit  = "after the commit, before the relay"
	beforeSend   = "in the relay, before the message is sent"
	afterSend    = "in the relay, after the message is sent"
)

// doomed is the variable with the line at which the test binary is killed.
const doomed = "OUTBOX_TEST_DIES"

func TestMain(m *testing.M) {
	if at := os.Getenv(doomed); at != "" {
		dieAt(at)
	}
	os.Exit(m.Run())
}

// dieAt does what a function does, up to the line at which it is killed.
func dieAt(at string) {
	ctx, id := context.Background(), "m"
	db := dynamodb.NewFromConfig(testenv.Config(os.Getenv("AWS_ENDPOINT_URL_DYNAMODB")))
	table := os.Getenv("OUTBOX_TEST_TABLE")
	die := func() {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			panic(err)
		}
		select {} // it takes effect in a moment
	}
	if at == beforeCommit {
		die()
	}
	if err := commit(ctx, db, table, os.Getenv("OUTBOX_TEST_BUSINESS"), id); err != nil {
		panic(err)
	}
	if at == afterCommit {
		die()
	}
	sender := queue.NewSender(
		sqs.NewFromConfig(testenv.Config(os.Getenv("AWS_ENDPOINT_URL_SQS"))),
		map[string]string{outbox.SyncQueue: os.Getenv("OUTBOX_TEST_QUEUE")},
	)
	relay := outbox.NewRelay(db, table, each(func(ctx context.Context, row outbox.Row) error {
		if at == beforeSend {
			die()
		}
		if err := sender.SendAll(ctx, []outbox.Row{row})[0]; err != nil {
			panic(err)
		}
		die()
		return nil
	}), written, slog.New(slog.DiscardHandler))
	image := map[string]outbox.Text{"pk": {S: id}, "queue": {S: outbox.SyncQueue}, "body": {S: `{"id":"m"}`}}
	_, err := relay.HandleStream(ctx, outbox.Stream{
		Records: []outbox.Record{{EventName: "INSERT", Change: outbox.Change{NewImage: image}}},
	})
	panic(err)
}

// Another process does the work and is killed at each line in turn. Housekeeping has
// only what it left behind.
func TestCrash(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]struct {
		changed       bool
		before, after []string // what the queue's reader sees of it, by then and from housekeeping
		left          []string
		resent        int
	}{
		beforeCommit: {before: []string{}, after: []string{}, left: []string{}},
		afterCommit:  {changed: true, before: []string{}, after: []string{"m"}, left: []string{"m"}, resent: 1},
		beforeSend:   {changed: true, before: []string{}, after: []string{"m"}, left: []string{"m"}, resent: 1},
		// Only here does a reader see a message twice, so it must
		// be idempotent.
		afterSend: {changed: true, before: []string{"m"}, after: []string{"m"}, left: []string{"m"}, resent: 1},
	} {
		t.Run(at, func(t *testing.T) {
			b := newBench(t)
			b.killedAt(at)
			assert.Equal(t, want.changed, b.changed("m"), "the change is there if and only if its message is")
			assert.Equal(t, want.left, b.waiting())
			assert.Equal(t, want.before, b.arrived())

			resent, err := b.relay(b.queue()).Resend(t.Context(), written().Add(1))
			require.NoError(t, err)
			assert.Equal(t, want.resent, resent)
			assert.Equal(t, want.after, b.arrived())
			assert.Empty(t, b.waiting())

			resent, err = b.relay(b.queue()).Resend(t.Context(), written().Add(1))
			require.NoError(t, err)
			assert.Zero(t, resent)
			assert.Empty(t, b.arrived())
		})
	}
}

// killedAt runs this test binary as a process of its own until it is killed.
func (b *bench) killedAt(at string) {
	b.t.Helper()
	child := exec.CommandContext(b.t.Context(), os.Args[0])
	child.Env = append(
		os.Environ(),
		doomed+"="+at,
		"OUTBOX_TEST_TABLE="+b.table,
		"OUTBOX_TEST_BUSINESS="+b.business,
		"OUTBOX_TEST_QUEUE="+b.url,
		"AWS_ENDPOINT_URL_DYNAMODB="+*b.db.Options().BaseEndpoint,
		"AWS_ENDPOINT_URL_SQS="+*testenv.SQS(b.t).Options().BaseEndpoint,
	)
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(b.t, err, &exit)
	require.Equal(b.t, "signal: killed", exit.String(), "%s", out)
}
