// Command operator calls the operator function of the local stack, or of a stack on AWS
// (make operator). docs/operator.md lists the commands.
//
// CMD is the command, and ARGS a JSON object with its members. FILE is a file with an
// event, such as those in events/operator; CMD and ARGS override its members. If the
// member file is @ and a path, the content of that file is sent. DATA_DIR (.data) is the
// stack's data folder. OPERATOR_FUNCTION is the name of a function on AWS, which the AWS
// CLI invokes. The command seed-sandbox also needs BASE_URL, the address of the API.
//
// The response is printed as JSON. The exit status is 1 if the function refuses.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/sandbox"
	"aviso/localstack/stack/command"
	"aviso/localstack/stack/eventfile"
	"aviso/localstack/stack/seed"
)

func main() {
	command.Main("", func(ctx context.Context) error { return run(ctx, os.Getenv, os.Stdout) })
}

func run(ctx context.Context, getenv func(string) string, out io.Writer) error {
	invoke, err := eventfile.Operator(getenv)
	if err != nil {
		return err
	}
	if getenv("CMD") == "seed-sandbox" {
		return seedSandbox(ctx, cmp.Or(getenv("BASE_URL"), "http://localhost:3000"), invoke, out)
	}
	event, err := readEvent(getenv("CMD"), getenv("ARGS"), getenv("FILE"))
	if err != nil {
		return err
	}
	return send(ctx, invoke, event, out)
}

// send sends an event and prints the answer.
func send(ctx context.Context, invoke eventfile.Invoker, event []byte, out io.Writer) error {
	answer, err := invoke(ctx, event)
	if err != nil {
		return err
	}
	var readable bytes.Buffer
	if err := json.Indent(&readable, answer, "", "  "); err != nil {
		return fmt.Errorf("the response is not JSON: %w", err)
	}
	fmt.Fprintln(out, readable.String())
	var refused struct {
		ErrorCount int `json:"errorCount"`
	}
	if err := json.Unmarshal(answer, &refused); err == nil && refused.ErrorCount > 0 {
		return fmt.Errorf("operator: nothing was changed, because the file has %d errors", refused.ErrorCount)
	}
	return nil
}

// readEvent builds the event from CMD, ARGS and FILE.
func readEvent(command, args, file string) ([]byte, error) {
	event := map[string]any{}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &event); err != nil || event == nil {
			return nil, fmt.Errorf("%s is not a JSON object", file)
		}
	}
	if args != "" {
		members := map[string]any{}
		if err := json.Unmarshal([]byte(args), &members); err != nil {
			return nil, fmt.Errorf("ARGS is not a JSON object: %w", err)
		}
		maps.Copy(event, members)
	}
	if command != "" {
		event["command"] = command
	}
	if event["command"] == nil {
		return nil, errors.New(`no command given; try make operator CMD=show-partner ARGS='{"id":"sandbox"}' ` +
			`(docs/operator.md lists the commands)`)
	}
	if text, ok := event["file"].(string); ok && strings.HasPrefix(text, "@") {
		encoded, err := encodeFile(text[1:])
		if err != nil {
			return nil, err
		}
		event["file"] = encoded
	}
	return json.Marshal(event)
}

// encodeFile returns a file as base64, gzipped because an event cannot be larger than
// 6 MB.
func encodeFile(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) { // not yet gzipped
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		_, _ = w.Write(content) // into memory, which does not fail
		_ = w.Close()
		content = zipped.Bytes()
	}
	return base64.StdEncoding.EncodeToString(content), nil
}

// seedSandbox fills the environments test and acceptance with the sandbox's banks, organizations and terms, which the
// local stack always has. It can be repeated. It refuses stacks without a sandbox, such as production.
func seedSandbox(ctx context.Context, baseURL string, invoke eventfile.Invoker, out io.Writer) error {
	baseURL = strings.TrimSuffix(baseURL, "/")
	if err := checkSandbox(ctx, baseURL); err != nil {
		return err
	}
	banks, err := providerFile(seed.Providers(baseURL))
	if err != nil {
		return err
	}
	events := []map[string]any{
		{"command": "import-providers", "file": banks},
		{"command": "import-catalogue", "file": sandbox.Catalogue()},
	}
	if strings.HasPrefix(baseURL, "https:") { // a local stack already has its terms
		for _, t := range seed.Terms(baseURL) {
			events = append(events, map[string]any{
				"command": "publish-terms", "termsType": t.Type, "version": t.Version, "url": t.URL,
			})
		}
	}
	for _, event := range events {
		text, err := json.Marshal(event)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(out, event["command"])
		if err := send(ctx, invoke, text, out); err != nil {
			return err
		}
	}
	return nil
}

func checkSandbox(ctx context.Context, baseURL string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, baseURL+"/sandbox/banks", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s has no sandbox (%s); BASE_URL must be the address of a test or acceptance API",
			baseURL, res.Status)
	}
	return nil
}

// providerFile returns the file of providers for import-providers.
func providerFile(providers []pfm.Provider) ([]byte, error) {
	var file bytes.Buffer
	for _, p := range providers {
		sca := map[string]any{
			"tokenFirst": p.Endpoint.SCA.TokenFirst, "asksPsuId": p.Endpoint.SCA.AsksPSUID,
			"asksIbans": p.Endpoint.SCA.AsksIBANs,
			"clientId":  p.Endpoint.SCA.ClientID, "metadataUrl": p.Endpoint.SCA.MetadataURL,
		}
		maps.DeleteFunc(sca, func(_ string, v any) bool { return v == "" })
		line := map[string]any{
			"id": p.ID, "countryCode": p.CountryCode, "name": p.Name, "logoUrl": p.LogoURL, "status": p.Status,
			"supportedAccountTypes": p.SupportedAccountTypes, "timezone": p.Timezone,
			"refreshTimeoutMinutes": p.RefreshTimeoutMinutes, "maxConsentDays": p.MaxConsentDays,
			"regulated": p.Regulated, "maxFetchInterval": p.MaxFetchInterval,
			"endpoint": map[string]any{"baseUrl": p.Endpoint.BaseURL, "sca": sca}, "meta": p.Meta,
		}
		if p.AutomaticFetch != nil {
			line["automaticFetch"] = *p.AutomaticFetch
		}
		if err := json.NewEncoder(&file).Encode(line); err != nil {
			return nil, err
		}
	}
	return file.Bytes(), nil
}
