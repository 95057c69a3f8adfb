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

// template is next to the built template, because paths in a template are relative
// to its folder.
func (s *sam) template() string { return filepath.Join(s.checkout, ".aws-sam", "build", "local.yaml") }

func (s *sam) variables() string { return filepath.Join(s.dataDir, "sam-variables.json") }

// checkRequirements reports anything missing before anything starts.
func (s *sam) checkRequirements(ctx context.Context) error {
	if _, err := exec.LookPath("docker"); err != nil {
		return errors.New("sam local needs Docker, which is not installed; make run works without it")
	}
	version := exec.CommandContext(ctx, "docker", "version", "--format", "{{.Server.Version}}")
	if out, err := version.CombinedOutput(); err != nil {
		return fmt.Errorf("the Docker daemon does not answer: %s", out)
	}
	if _, err := os.Stat(filepath.Join(s.checkout, ".aws-sam", "build", "template.yaml")); err != nil {
		return errors.New("the functions have not been built; run make sam-local")
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
	if err != nil {
		return fmt.Errorf("port %d is taken; stop the program that uses it, or run PORT=%d make sam-local", s.port, s.port+1)
	}
	return listener.Close()
}

// architecture is this machine's, because it runs the containers.
func architecture() string {
	if runtime.GOARCH == "arm64" {
		return "arm64"
	}
	return "x86_64"
}

// command returns a sam local command with the arguments that all of them need. It gets
// its own process group, so that Ctrl-C reaches it only once, through this process.
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
	port := strconv.Itoa(s.port)
	cmd := s.command(ctx, "start-api", "--host", "127.0.0.1", "--port", port, "--warm-containers", "LAZY")
	cmd.Stdout = os.Stdout
	if err := cmd.Run(); ctx.Err() == nil {
		return fmt.Errorf("sam local exited unexpectedly: %w", err)
	}
	return nil
}
