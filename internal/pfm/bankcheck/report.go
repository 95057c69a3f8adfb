package bankcheck

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"aviso/internal/pfm"
)

// Level says what a finding means for somebody who attaches the bank.
type Level string

// The levels of findings, the worst first.
const (
	// Blocks prevents that the bank is connected as it is.
	Blocks Level = "Blocks"
	// Lost cannot be read, whatever is set. The rest can.
	Lost Level = "Lost"
	// Setting needs the setting.
	Setting Level = "Setting"
	// Decide needs a look: the setting is right if the finding's condition holds.
	Decide Level = "Decide"
)

// Finding is something that is lost or needs a setting. It has no personal data.
type Finding struct {
	Code  string `json:"code"`
	Level Level  `json:"level"`
	// Seen is what the bank does, and Aviso what Aviso makes of it.
	Seen  string `json:"seen"`
	Aviso string `json:"aviso"`
	// Settings are members of a provider file, by path, such as profile.rowId.
	Settings map[string]any `json:"settings,omitempty"`
}

// Verdict is the result of a check.
type Verdict string

// The verdicts.
const (
	Connects             Verdict = "Connects"
	ConnectsWithSettings Verdict = "ConnectsWithSettings"
	CannotConnect        Verdict = "CannotConnect"
)

// Report is what a check has found.
type Report struct {
	// Facts are sentences about what a first sync would read.
	Facts    []string  `json:"facts"`
	Findings []Finding `json:"findings"`
}

// add adds a finding, unless there is one with this code.
func (r *Report) add(level Level, code, seen, aviso string, settings map[string]any) {
	if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code == code }) {
		r.Findings = append(r.Findings, Finding{Code: code, Level: level, Seen: seen, Aviso: aviso, Settings: settings})
	}
}

// block adds the finding for an error that ends the check.
func (r *Report) block(err error) {
	seen, failure := inWords(err), &pfm.SupplierError{}
	if errors.As(err, &failure) && failure.RetryAfter > 0 {
		seen += ", to be repeated after " + failure.RetryAfter.String()
	}
	code, aviso, settings := reason(failure)
	r.add(Blocks, code, seen, aviso, settings)
}

// reason returns the code of an error, what to do, and the settings that answer it.
func reason(e *pfm.SupplierError) (code, aviso string, settings map[string]any) {
	cause := ""
	if e.Err != nil {
		cause = e.Err.Error()
	}
	isAbout := func(text string) bool { return strings.Contains(cause, text) }
	asks := e.Operation == "request consent" || e.Operation == "start authorisation"
	secret := func(name string) map[string]any { return map[string]any{"endpoint." + name: "(name of the secret)"} }
	switch {
	case strings.HasPrefix(cause, "certificate "):
		return "own-certificate", "Mend the certificate or the key. docs/rotation.md describes the secrets of a stack.", nil
	case isAbout("TLS"), strings.HasPrefix(e.BankCode, "CERTIFICATE_"), e.BankCode == "ROLE_INVALID":
		return "certificate-refused", "Set the secret with a QWAC that has the role AISP and that the bank accepts.",
			secret("transportSecret")
	case isAbout("no client ID"):
		return "client-id-missing", "Set the ID that the bank's portal gave you, or use a QWAC.",
			map[string]any{"endpoint.sca.clientId": "(your ID at the bank)"}
	case isAbout("PKCE"), isAbout("no redirect"):
		return "authorisation-unsupported", "Nothing can be set. docs/banks.md lists what is supported.", nil
	case e.Kind == pfm.SupplierRateLimited:
		return "rate-limited", "A sync waits as long as the bank says. Repeat the check later, with the same consent.", nil
	case e.Temporary():
		return "no-answer", "Check the address and that the bank's firewall lets you in. If it stays, ask the bank.", nil
	case strings.HasPrefix(e.BankCode, "SIGNATURE_"):
		return "seal-wanted", "Requests are signed if the provider names the secret with the QSealC.", secret("sealSecret")
	case asks && (strings.HasPrefix(e.BankCode, "TOKEN_") || e.BankCode == "" && e.Status == http.StatusUnauthorized):
		return "token-wanted", "Set where the authorization server describes itself (RFC 8414).", map[string]any{
			"endpoint.sca.tokenFirst": true, "endpoint.sca.metadataUrl": "(address of the server's metadata)",
		}
	case asks && e.BankCode == "CONSENT_INVALID":
		return "ibans-wanted", "Users are asked for their IBANs if asksIbans is set.", map[string]any{"endpoint.sca.asksIbans": true}
	case asks:
		return "refused", "If the bank wants the user's ID or accounts first, set asksPsuId or asksIbans.", nil
	default:
		return "refused", "If the bank wants headers of the user's browser, name them in headers.", nil
	}
}

// inWords returns what may be shown of an error: the client's own words, the status and
// the standard's code.
func inWords(err error) string {
	e, ok := errors.AsType[*pfm.SupplierError](err)
	if !ok {
		return "it failed on our side"
	}
	text := e.Operation
	if e.Status != 0 {
		text += fmt.Sprintf(": %d", e.Status)
	}
	if e.BankCode != "" {
		text += " " + e.BankCode
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Of returns the findings of a level.
func (r *Report) Of(l Level) []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Level != l })
}

// Verdict returns the result.
func (r *Report) Verdict() Verdict {
	switch {
	case len(r.Of(Blocks)) > 0:
		return CannotConnect
	case len(r.Of(Setting)) > 0:
		return ConnectsWithSettings
	default:
		return Connects
	}
}

// Snippet returns the settings that the bank needs, in the form of a provider file.
func (r *Report) Snippet() map[string]any {
	all := map[string]any{}
	for _, f := range append(r.Of(Setting), r.Of(Blocks)...) {
		for path, value := range f.Settings {
			put(all, strings.Split(path, "."), value)
		}
	}
	return all
}

func put(into map[string]any, path []string, value any) {
	if len(path) == 1 {
		into[path[0]] = value
		return
	}
	inner, _ := into[path[0]].(map[string]any)
	if inner == nil {
		inner = map[string]any{}
		into[path[0]] = inner
	}
	put(inner, path[1:], value)
}

// String returns the report for people, with the worst findings first.
func (r *Report) String() string {
	var b strings.Builder
	for _, fact := range r.Facts {
		b.WriteString("  " + fact + "\n")
	}
	for _, level := range []Level{Blocks, Lost, Setting, Decide} {
		for _, f := range r.Of(level) {
			fmt.Fprintf(&b, "\n%s  %s\n  seen      %s\n  Aviso     %s\n", f.Level, f.Code, f.Seen, f.Aviso)
			for _, path := range slices.Sorted(maps.Keys(f.Settings)) {
				fmt.Fprintf(&b, "  setting   %s = %s\n", path, inJSON(f.Settings[path]))
			}
		}
	}
	words := map[Verdict]string{
		Connects:             "The bank can be connected. It needs no setting.",
		ConnectsWithSettings: "The bank can be connected. It needs the settings below.",
		CannotConnect:        "The bank cannot be connected as it is. See the findings under Blocks.",
	}
	fmt.Fprintln(&b, "\n"+words[r.Verdict()])
	if s := r.Snippet(); len(s) > 0 {
		fmt.Fprintln(&b, "In the provider file: "+inJSON(s))
	}
	return b.String()
}

func inJSON(value any) string {
	text, err := json.Marshal(value)
	return cmp.Or(string(text), fmt.Sprint(err)) // texts, numbers and lists of them do not fail
}
