package consolefn

import (
	"aviso/internal/console"
	"aviso/internal/sandbox/persona"
)

// describeSandbox returns what the sandbox has. It runs when somebody opens the page, so that
// the function starts without the data.
//
// The banks are named here because their package has the sandbox's pages with it. There is one
// for each way to approve.
func describeSandbox() console.Sandbox {
	s := console.Sandbox{Banks: []console.SandboxBank{
		{Name: "Lindenmark Sparbank", Country: "DE", Approval: "On the bank's page, as at all banks that are not in this list"},
		{Name: "Erlenbach Direktbank", Country: "DE", Approval: "On the bank's page, with OAuth 2"},
		{Name: "Bankhaus Kastanienhof", Country: "AT", Approval: "With OAuth 2 before the consent, and then on the bank's page"},
		{Name: "Norrsken Sparbank", Country: "SE", Approval: "In the bank's app, after giving an ID: that of a person below"},
		{Name: "Tulpenburg Bank", Country: "NL", Approval: "On the bank's page, after giving an ID: that of a person below"},
		{Name: "Silbertal Bank", Country: "AT", Approval: "On the page of an aggregator, through which it is read"},
	}}
	for _, p := range persona.All() {
		s.People = append(s.People, console.SandboxPerson{ID: p.ID, Name: p.Name, Summary: p.Summary})
	}
	return s
}
