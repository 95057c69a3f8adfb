package receivers

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	examples = "../../docs/examples/"
	// buildWithin covers a machine that has to compile net/http first.
	buildWithin = 4 * time.Minute
	// within bounds whatever a test waits for.
	within = time.Minute
)

// process is a receiver that runs, as a program of its own.
type process struct {
	url    string
	lines  chan string
	ending func()
	stderr *bytes.Buffer
}

type answer struct {
	status int
	body   string
}

func startGo(t *testing.T, secrets string) *process {
	t.Helper()
	program := filepath.Join(t.TempDir(), "receiver")
	ctx, cancel := context.WithTimeout(t.Context(), buildWithin)
	defer cancel()
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir = examples + "receiver-go"
	// It is a module of its own, built as a partner would.
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	output, err := build.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return start(t, secrets, program)
}

func startNode(t *testing.T, secrets string) *process {
	t.Helper()
	folder := examples + "receiver-node/"
	require.DirExists(t, folder+"node_modules/standardwebhooks", "the library is not installed: make receivers")
	return start(t, secrets, "node", folder+"receiver.js")
}

func startPython(t *testing.T, secrets string) *process {
	t.Helper()
	folder := examples + "receiver-python/"
	require.FileExists(t, folder+".venv/bin/python", "the library is not installed: make receivers")
	return start(t, secrets, folder+".venv/bin/python", folder+"receiver.py")
}

// start runs the program until the test ends, on a port that is free.
func start(t *testing.T, secrets, program string, args ...string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{lines: make(chan string, 100), stderr: &bytes.Buffer{}}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "PORT=0", "WEBHOOK_SECRET="+secrets)
	cmd.Stderr = p.stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	p.ending = func() { cancel(); <-ended }
	go func() {
		defer close(ended)
		for s := bufio.NewScanner(stdout); s.Scan(); {
			p.lines <- s.Text()
		}
		_ = cmd.Wait() // it is killed
		close(p.lines)
	}()
	t.Cleanup(p.ending)
	url, found := strings.CutPrefix(p.line(t), "Listening on ")
	require.True(t, found)
	p.url = url
	return p
}

// line waits for the next line that the receiver prints.
func (p *process) line(t *testing.T) string {
	t.Helper()
	select {
	case line, running := <-p.lines:
		if !running {
			require.Fail(t, "the receiver has ended", "%s", p.stderr)
		}
		return line
	case <-time.After(within):
		require.Fail(t, "the receiver has printed nothing")
		return ""
	}
}

func (p *process) assertLine(t *testing.T, want string) {
	t.Helper()
	assert.Equal(t, want, p.line(t))
}

// stop ends the receiver and gives the lines that nobody has waited for.
func (p *process) stop(t *testing.T) []string {
	t.Helper()
	p.ending()
	var left []string
	for line := range p.lines {
		left = append(left, line)
	}
	return left
}

func (p *process) post(t *testing.T, c callback) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/webhooks", bytes.NewReader(c.body))
	require.NoError(t, err)
	req.Header = c.header.Clone()
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return answer{status: resp.StatusCode, body: string(body)}
}
