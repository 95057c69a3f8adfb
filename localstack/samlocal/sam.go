package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"aviso/localstack/template"
)

// stopWithin bounds how long sam may take to remove its containers.
const stopWithin = 30 * time.Second

// sam runs sam local.
type sam struct {
	checkout, dataDir string
	port              int
}

// template lies beside the built one, since paths in a template start at its
// folder.
func (s *sam) template() string { return filepath.Join(s.checkout, ".aws-sam", "build", "local.yaml") }

func (s *sam) variables() string { return filepath.Join(s.dataDir, "sam-variables.json") }

// look says in a line what is missing before anything is started.
func (s *sam) look(ctx context.Context) error {
	if _, err := exec.LookPath("docker"); err != nil {
		return errors.New("sam local runs functions in containers, and there is no docker; make run needs none")
	}
	if out, err := exec.CommandContext(ctx, "docker", "version", "--format", "{{.Server.Version}}").CombinedOutput(); err != nil {
		return fmt.Errorf("docker is there, but its daemon does not answer: %s", out)
	}
	if _, err := os.Stat(filepath.Join(s.checkout, ".aws-sam", "build", "template.yaml")); err != nil {
		return errors.New("the functions are not built; make sam-local does that")
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
	if err != nil {
		return fmt.Errorf("port %d is taken; stop what listens there or run PORT=%d make sam-local", s.port, s.port+1)
	}
	return listener.Close()
}

// architecture is that of this machine, which runs the containers.
func architecture() string {
	if runtime.GOARCH == "arm64" {
		return "arm64"
	}
	return "x86_64"
}

// command is one of sam local's, with what it wants to know in either case. Its
// process group is its own, so that a Ctrl-C reaches it once, and from here.
func (s *sam) command(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.checkout, ".tools", "venv", "bin", "sam"), append([]string{
		"local", name,
		"--template", s.template(), "--env-vars", s.variables(),
		"--add-host", "localhost:host-gateway",
		"--parameter-overrides", "Environment=local Architecture=" + architecture(),
		"--region", template.Region,
	}, append(arguments, strings.Fields(os.Getenv("SAM_ARGS"))...)...)...)
	cmd.Dir = s.checkout
	cmd.Env = append(os.Environ(), "SAM_CLI_TELEMETRY=0", "AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopWithin
	return cmd
}

// serve runs the API until ctx ends.
func (s *sam) serve(ctx context.Context) error {
	cmd := s.command(ctx, "start-api", "--host", "127.0.0.1", "--port", strconv.Itoa(s.port), "--warm-containers", "LAZY")
	cmd.Stdout = os.Stdout
	if err := cmd.Run(); ctx.Err() == nil {
		return fmt.Errorf("sam local ended by itself: %w", err)
	}
	return nil
}
