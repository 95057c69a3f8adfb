package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"aviso/internal/app"
	"aviso/internal/pfm"
	"aviso/internal/sandbox/orgdata"
	"aviso/localstack/eventfile"
)

// seedSandbox fills the environments test and acceptance with what the local stack has
// from its start: the sandbox's banks, organizations and terms. It can be repeated. It
// refuses stacks without a sandbox, such as production.
func seedSandbox(ctx context.Context, baseURL string, invoke eventfile.Invoker, out io.Writer) error {
	baseURL = strings.TrimSuffix(baseURL, "/")
	if err := checkSandbox(ctx, baseURL); err != nil {
		return err
	}
	banks, err := providerFile(app.SandboxProviders(baseURL))
	if err != nil {
		return err
	}
	events := []map[string]any{
		{"command": "import-providers", "file": banks},
		{"command": "import-catalogue", "file": orgdata.Catalogue()},
	}
	if strings.HasPrefix(baseURL, "https:") { // a local stack has its terms already
		for _, t := range app.SandboxTerms(baseURL) {
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

// scaOf returns what a provider file says about how users authorise.
func scaOf(s pfm.SCA) map[string]any {
	sca := map[string]any{"tokenFirst": s.TokenFirst, "asksPsuId": s.AsksPSUID, "asksIbans": s.AsksIBANs}
	for name, text := range map[string]string{"clientId": s.ClientID, "metadataUrl": s.MetadataURL} {
		if text != "" {
			sca[name] = text
		}
	}
	return sca
}

// providerFile returns providers as import-providers takes them.
func providerFile(providers []pfm.Provider) ([]byte, error) {
	var file bytes.Buffer
	for _, p := range providers {
		line := map[string]any{
			"id": p.ID, "countryCode": p.CountryCode, "name": p.Name, "logoUrl": p.LogoURL, "status": p.Status,
			"supportedAccountTypes": p.SupportedAccountTypes, "timezone": p.Timezone,
			"refreshTimeoutMinutes": p.RefreshTimeoutMinutes, "maxConsentDays": p.MaxConsentDays,
			"regulated": p.Regulated, "maxFetchInterval": p.MaxFetchInterval,
			"endpoint": map[string]any{"baseUrl": p.Endpoint.BaseURL, "sca": scaOf(p.Endpoint.SCA)}, "meta": p.Meta,
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
