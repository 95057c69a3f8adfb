package consolefn

import (
	"strings"

	"aviso/internal/console"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/terms"
)

// describeSandbox returns what the sandbox has. It runs when somebody opens the page, so that
// the function starts without the data.
func describeSandbox() console.Sandbox {
	var s console.Sandbox
	for _, b := range bank.Catalogue() {
		s.Banks = append(s.Banks, console.SandboxBank{
			Name: b.Name, Country: b.CountryCode, Status: b.Status, Approval: string(b.Traits.SCA),
			HistoryDays: b.MaxFetchInterval, ConsentDays: b.MaxConsentDays, AccountTypes: b.SupportedAccountTypes,
		})
	}
	for _, p := range persona.All() {
		s.People = append(s.People, console.SandboxPerson{ID: p.ID, Name: p.Name, Summary: p.Summary})
	}
	for _, d := range terms.Documents() {
		name := strings.ReplaceAll(d.Slug, "-", " ") + ", version of " + d.Version
		s.Terms = append(s.Terms, console.Link{To: d.Path(), Text: strings.ToUpper(name[:1]) + name[1:]})
	}
	return s
}
