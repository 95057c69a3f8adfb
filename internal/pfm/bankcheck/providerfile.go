package bankcheck

import (
	"bytes"
	_ "embed"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // Lambda's runtime has no time zones

	"aviso/internal/jsonschema"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

const (
	// MaxMB is the maximum size of an uncompressed file.
	MaxMB = 16
	// maxWords makes a provider with all its index rows fit into one transaction.
	maxWords = 20
	maxURL   = 500
)

//go:embed providers.schema.json
var schema []byte

// ParseProviders reads a file of providers in JSON Lines, each as providers.schema.json says.
// With allowHTTP, it accepts http URLs too, for sandboxes. If anything is invalid, it rejects the
// whole file: the error is a *jsonschema.Invalid with every problem.
func ParseProviders(file []byte, allowHTTP bool) ([]pfm.Provider, error) {
	f, err := jsonschema.NewFile(schema, formats(allowHTTP), MaxMB)
	if err != nil {
		return nil, fmt.Errorf("provider file: %w", err)
	}
	var providers []pfm.Provider
	lines := map[string]int{} // by ID
	err = f.Read(bytes.NewReader(file), func(l jsonschema.Line) {
		var p pfm.Provider
		l.Decode(&p)
		if first, ok := lines[p.ID]; ok {
			l.Fail("/id", fmt.Sprintf("line %d has the same ID", first))
		}
		lines[p.ID] = l.Number
		if p.Endpoint.SCA.TokenFirst && p.Endpoint.SCA.MetadataURL == "" {
			l.Fail("/endpoint/sca/metadataUrl", "is required with tokenFirst")
		}
		providers = append(providers, p)
	})
	if err == nil {
		err = f.Err(len(providers), "provider")
	}
	if err != nil {
		return nil, fmt.Errorf("provider file: %w", err)
	}
	return providers, nil
}

func formats(allowHTTP bool) jsonschema.Formats {
	schemes := "https"
	if allowHTTP {
		schemes = "https or http"
	}
	return jsonschema.Formats{
		"country":       rule(textfold.IsCountry, "must be an ISO 3166-1 country code, such as DE"),
		"provider-name": nameProblem,
		"timezone":      rule(isTimezone, "must be an IANA time zone, such as Europe/Berlin"),
		"text-pattern":  patternProblem,
		"logo-url": rule(func(s string) bool {
			u, ok := parseURL(s, allowHTTP)
			return ok && u.Fragment == ""
		}, "must be an absolute "+schemes+" URL without user information or a fragment"),
		"base-url": rule(func(s string) bool {
			u, ok := parseURL(s, allowHTTP)
			return ok && u.RawQuery == "" && !u.ForceQuery && u.Fragment == "" && !strings.HasSuffix(s, "/")
		}, "must be an absolute "+schemes+
			" URL without user information, a query, a fragment or a slash at the end"),
	}
}

// rule returns a function that returns the problem with a text that is not as it must be.
func rule(holds func(string) bool, problem string) func(string) string {
	return func(s string) string {
		if holds(s) {
			return ""
		}
		return problem
	}
}

func nameProblem(s string) string {
	if problem := jsonschema.OneLine(s); problem != "" {
		return problem
	}
	if len(strings.Fields(textfold.Name(s))) > maxWords {
		return fmt.Sprintf("must have at most %d words", maxWords)
	}
	return ""
}

func patternProblem(s string) string {
	pattern, err := regexp.Compile(s)
	if err != nil {
		return "must be a regular expression of RE2"
	}
	if pattern.SubexpIndex("payee") < 0 && pattern.SubexpIndex("note") < 0 {
		return "must have a group with the name payee or note"
	}
	return ""
}

func isTimezone(s string) bool {
	_, err := time.LoadLocation(s)
	return err == nil && s != "" && s != "Local"
}

func parseURL(text string, allowHTTP bool) (*url.URL, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && (u.Scheme != "http" || !allowHTTP) || u.Hostname() == "" || u.User != nil ||
		len(text) > maxURL {
		return nil, false
	}
	isInvalid := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`<>"\`, r) }
	return u, !strings.ContainsFunc(text, isInvalid)
}
