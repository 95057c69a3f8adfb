package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.yaml.in/yaml/v3"

	"aviso/localstack/eventfile"
	"aviso/localstack/stack"
	"aviso/localstack/statefile"
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

// checkPort reports a taken port before anything starts. make has checked the rest.
func (s *sam) checkPort() error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
	if err != nil {
		return fmt.Errorf("port %d is taken; stop the program that uses it, or run PORT=%d make sam-local", s.port, s.port+1)
	}
	return listener.Close()
}

// command returns a sam local command with the arguments that all of them need. It gets
// its own process group, so that Ctrl-C reaches it only once, through this process.
func (s *sam) command(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.checkout, ".tools", "venv", "bin", "sam"), append([]string{
		"local", name,
		"--template", s.template(), "--env-vars", s.variables(),
		"--add-host", "localhost:host-gateway",
		"--parameter-overrides", "Environment=local Architecture=" + stack.Architecture(),
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

// prepare writes the files that sam local reads: the functions' variables, and the
// built template with the changes it needs.
func (s *sam) prepare(around stack.Surroundings) error {
	variables := make(map[string]map[string]string, len(around.Variables))
	for id, own := range around.Variables {
		variables[id] = maps.Clone(own)
		for name, value := range around.AWS {
			variables[id][name] = inContainer(value)
		}
	}
	if err := statefile.Write(s.variables(), variables); err != nil {
		return fmt.Errorf("write the functions' variables: %w", err)
	}
	built, err := os.ReadFile(filepath.Join(s.checkout, ".aws-sam", "build", "template.yaml"))
	if err != nil {
		return fmt.Errorf("read the built template: %w", err)
	}
	forSAM, err := forLocal(built, slices.Sorted(maps.Keys(around.AWS)))
	if err != nil {
		return fmt.Errorf("the built template: %w", err)
	}
	if err := os.WriteFile(s.template(), forSAM, 0o600); err != nil {
		return fmt.Errorf("write the template for sam local: %w", err)
	}
	return nil
}

// sandboxConcurrency is how many requests the sandbox's container handles at a time.
const sandboxConcurrency = 16

// forLocal returns the built template with three changes for sam local.
//
// sam sets only variables that the template declares, so it declares the endpoints of
// the local services.
//
// sam treats every body as UTF-8 text unless the API says otherwise, whereas API Gateway
// passes on PDFs and forms with files in any case.
//
// sam starts one container per function, which handles one request at a time. But the
// sandbox plays many companies: the service calls it while it calls the service, and one
// bank that hangs must not block the others. So its container handles several requests,
// as Lambda's managed instances do.
func forLocal(built []byte, variables []string) ([]byte, error) {
	var document map[string]any
	if err := yaml.Unmarshal(built, &document); err != nil {
		return nil, err
	}
	declared := object(object(object(object(document, "Globals"), "Function"), "Environment"), "Variables")
	for _, name := range variables {
		declared[name] = ""
	}
	resources := object(document, "Resources")
	for id := range resources {
		if resource := object(resources, id); resource["Type"] == "AWS::Serverless::HttpApi" {
			object(resource, "Properties")["DefinitionBody"] = map[string]any{
				"openapi": "3.0.1", "paths": map[string]any{},
				"x-amazon-apigateway-binary-media-types": []string{"*/*"},
			}
		}
	}
	object(object(resources, "SandboxFunction"), "Properties")["CapacityProviderConfig"] = map[string]any{
		"Arn": "arn:aws:lambda:" + template.Region + ":" + template.Account + ":capacity-provider:local",

		"PerExecutionEnvironmentMaxConcurrency": sandboxConcurrency,
	}
	return yaml.Marshal(document)
}

// object returns the member with this name, and creates it if it is missing.
func object(of map[string]any, name string) map[string]any {
	member, ok := of[name].(map[string]any)
	if !ok {
		member = map[string]any{}
		of[name] = member
	}
	return member
}

// invoke has sam local invoke the function of each event file, each in a new container.
// It continues after a failure.
func (s *sam) invoke(ctx context.Context, around stack.Surroundings, paths []string) error {
	ids := map[string]string{}
	for _, f := range around.Functions {
		ids[f.Name] = f.ID
	}
	token, err := eventfile.Token(ctx, around.Lambda, filepath.Join(s.checkout, "events"))
	if err != nil {
		return err
	}
	failed := 0
	for _, path := range paths {
		f, err := eventfile.Read(path)
		if err != nil {
			return err
		}
		fmt.Printf("%s\n", f.Name)
		if err := s.invokeOne(ctx, ids[f.Function], f.With(token)); err != nil {
			failed++
			fmt.Printf("FAILED: %v\n", err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d invocations failed", failed, len(paths))
	}
	return nil
}

// invokeOne prints the function's answer. sam does not tell a failed function by its exit status.
func (s *sam) invokeOne(ctx context.Context, function string, event []byte) error {
	if function == "" {
		return errors.New("the template has no function named like its folder")
	}
	var answer bytes.Buffer
	cmd := s.command(ctx, "invoke", function, "--event", "-")
	cmd.Stdin, cmd.Stdout = bytes.NewReader(event), io.MultiWriter(os.Stdout, &answer)
	if err := cmd.Run(); err != nil {
		return err
	}
	if bytes.Contains(answer.Bytes(), []byte(`"errorMessage"`)) {
		return errors.New("the function returned an error")
	}
	return nil
}
