package emulator

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
)

// Options configure an emulator.
type Options struct {
	// DBPath is the file that keeps tables or messages across runs. If it is empty, they
	// are only in memory.
	DBPath string
	// Progress, if not nil, gets a line about anything that takes long.
	Progress func(line string)
}

// ErrNoDynamoDB is returned when no DynamoDB emulator runs on this machine.
var ErrNoDynamoDB = errors.New("on " + runtime.GOOS + "/" + runtime.GOARCH + " the local stack uses AWS's DynamoDB Local, " +
	"which needs Java " + strconv.Itoa(oldestJava) + " or newer. Without Java, start it with " +
	"docker run -p 127.0.0.1:8000:8000 amazon/dynamodb-local and set AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000, " +
	"or use LocalStack and set AWS_ENDPOINT_URL")

// StartDynamoDB starts a DynamoDB emulator with its streams: dynoxide on Linux on x64, and
// AWS's DynamoDB Local elsewhere or if the variable DYNAMODB is "local".
func StartDynamoDB(ctx context.Context, o Options) (*Process, error) {
	chosen := os.Getenv("DYNAMODB")
	if chosen != "" && chosen != "local" {
		return nil, fmt.Errorf("DYNAMODB is %q; want nothing, or local for AWS's DynamoDB Local", chosen)
	}
	if chosen == "local" || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return startDynamoDBLocal(ctx, o)
	}
	return startDynoxide(ctx, o)
}

// startDynamoDBLocal starts AWS's DynamoDB Local. It keeps its file in the folder of DBPath
// under a name of its own.
func startDynamoDBLocal(ctx context.Context, o Options) (*Process, error) {
	command, err := dynamoDBLocal(ctx, o)
	if err != nil {
		return nil, err
	}
	keep := []string{"-inMemory"}
	if o.DBPath != "" {
		keep = []string{"-dbPath", filepath.Dir(o.DBPath)}
	}
	return onFreePort(ctx, func(port string) (*Process, error) {
		return start(ctx, "the DynamoDB emulator", slices.Concat(command, keep, []string{"-port", port}), "", "http://127.0.0.1:"+port)
	})
}

// onFreePort starts an emulator that cannot choose a port itself. Another process may take
// the port first.
func onFreePort(ctx context.Context, start func(port string) (*Process, error)) (p *Process, err error) {
	const attempts = 5
	for range attempts {
		var port int
		if port, err = FreePort(); err != nil {
			return nil, err
		}
		if p, err = start(strconv.Itoa(port)); err == nil || ctx.Err() != nil {
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

func startNode(ctx context.Context, o Options, name string, script ...string) (*Process, error) {
	dir, err := install(ctx, o)
	if err != nil {
		return nil, err
	}
	return start(ctx, name, append([]string{"node"}, script...), dir, "")
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
