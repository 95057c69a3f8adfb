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

// MaxMB is the maximum size of an uncompressed file.
const MaxMB = 16

//go:embed providers.schema.json
var schema []byte

// ParseProviders parses a file of providers in JSON Lines, with the schema providers.schema.json. With allowHTTP, it
// accepts http URLs too, for sandboxes. If anything is invalid, it rejects the whole file: the error is a
// *jsonschema.Invalid with every problem.
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
		if len(strings.Fields(textfold.Name(p.Name))) > 20 { // more index rows do not fit into one transaction
			l.Fail("/name", "must have at most 20 words")
		}
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
	return jsonschema.Formats{
		"one-line": jsonschema.OneLine,
		"country":  rule(textfold.IsCountry, "must be an ISO 3166-1 country code, such as DE"),
		"timezone": rule(isTimezone, "must be an IANA time zone, such as Europe/Berlin"),
		"regular-expression": rule(func(s string) bool {
			_, err := regexp.Compile(s)
			return err == nil
		}, "must be a regular expression of RE2"),
		"url": rule(func(s string) bool {
			u, err := url.Parse(s)
			return err == nil && pfm.Origin(u) != "" && u.User == nil && (u.Scheme == "https" || allowHTTP)
		}, "must be an absolute https URL without user information; local and test also accept http"),
	}
}

// rule returns a check that returns problem unless holds accepts a text.
func rule(holds func(string) bool, problem string) func(string) string {
	return func(s string) string {
		if holds(s) {
			return ""
		}
		return problem
	}
}

func isTimezone(s string) bool {
	_, err := time.LoadLocation(s)
	return err == nil && s != "" && s != "Local"
}
