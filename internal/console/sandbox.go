package console

import (
	"net/http"
	"strings"
)

const sandboxPath = Path + "/sandbox"

// Sandbox is what the sandbox has.
type Sandbox struct {
	Banks  []SandboxBank
	People []SandboxPerson
	// Terms are the texts in force.
	Terms []Link
}

// SandboxBank is a fictional bank.
type SandboxBank struct {
	Name, Country string
	// Approval is how its customers approve: "", "oauth2", "tokenFirst", "decoupled" or
	// "identified".
	Approval string
	// Status is Active if users can connect.
	Status       string
	HistoryDays  int
	ConsentDays  int
	AccountTypes []string
}

// SandboxPerson is a fictional person with accounts at every bank.
type SandboxPerson struct{ ID, Name, Summary string }

func (c *Console) sandboxRoutes() []Route {
	if c.Sandbox == nil {
		return nil
	}
	routes := []Route{{Method: http.MethodGet, Path: sandboxPath, Role: Viewer, Do: c.showSandbox}}
	if c.Clocks == nil {
		return routes
	}
	return append(routes, c.clockRoutes()...)
}

// sandboxPage is the page of what the sandbox has.
type sandboxPage struct {
	// Clock finds a user's clock; nil where nobody's can be moved.
	Clock         *Form
	Places, Terms []Place
	Banks, People Table
}

// Place is where a page of the sandbox is, and what it is for.
type Place struct {
	Link
	About string
}

func (c *Console) showSandbox(call *Call) (Answer, error) {
	has := c.Sandbox()
	data := sandboxPage{
		Places: []Place{
			{Link{"/sandbox/control", "Consents and banks"}, "End a consent, book pending transactions, or make a bank slow, broken or unreachable."},
			{Link{"/sandbox/letters", "Post office, fax and inbox"}, "What left Aviso for an organization. Deliver a letter, return it, or lose it."},
			{Link{"/sandbox/replies", "Replies"}, "Answer for the organization: confirm or reject a cancellation."},
			{Link{"/sandbox/banks", "The banks' addresses"}, "What each bank's interface is called, for a client of your own."},
		},
		Banks:  Table{Caption: "Banks", Columns: []string{"Bank", "How its customers approve", "Accounts", "History", "Consent"}},
		People: Table{Caption: "People", Columns: []string{"Log in as", "Name", "What for"}},
	}
	if c.Clocks != nil {
		data.Clock = new(clockSearch(""))
	}
	for _, b := range has.Banks {
		name := any(Pair{b.Name, b.Country})
		if b.Status != "Active" {
			name = Values{b.Name, Badge{Neutral, b.Status}}
		}
		data.Banks.Rows = append(data.Banks.Rows, []any{
			name, approvalInWords(b.Approval), strings.Join(wordsOf(b.AccountTypes), ", "),
			counted(b.HistoryDays, "day"), counted(b.ConsentDays, "day"),
		})
	}
	for _, p := range has.People {
		data.People.Rows = append(data.People.Rows, []any{Code(p.ID), p.Name, p.Summary})
	}
	for _, t := range has.Terms {
		data.Terms = append(data.Terms, Place{Link: t})
	}
	return Page{
		Title: "Sandbox", Section: sandboxPath, Template: "sandbox",
		Lead: "Fictional banks, people, carriers and organizations. Nothing here moves real money.",
		Data: data,
	}, nil
}

func wordsOf(types []string) []string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = typeInWords(t)
	}
	return words
}

func approvalInWords(approval string) string {
	switch approval {
	case "oauth2":
		return "On the bank's page, with OAuth 2"
	case "tokenFirst":
		return "Signs in with OAuth 2 first, then on the bank's page"
	case "decoupled":
		return "In the bank's app, after giving an ID: that of a person below"
	case "identified":
		return "Gives an ID first, then on the bank's page"
	}
	return "On the bank's page"
}
