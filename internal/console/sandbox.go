package console

const sandboxPath = Path + "/sandbox"

// Sandbox is what the sandbox has.
type Sandbox struct {
	Banks  []SandboxBank
	People []SandboxPerson
}

// SandboxBank is a fictional bank. Approval says how its customers approve.
type SandboxBank struct{ Name, Country, Approval string }

// SandboxPerson is a fictional person with accounts at every bank.
type SandboxPerson struct{ ID, Name, Summary string }

// sandboxPage is the page of what the sandbox has.
type sandboxPage struct {
	// Clock finds a user's clock.
	Clock         *Form
	Places        []Place
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
		Clock: clockSearch(call),
		Places: []Place{
			{
				Link{"/sandbox/control", "Consents"},
				"End a consent, book pending transactions, or make a bank slow, broken or unreachable.",
			},
			{Link{"/sandbox/letters", "Letters"}, "What Aviso sent by e-mail, post and fax. Deliver a letter, return it, or lose it."},
			{Link{"/sandbox/replies", "Answers"}, "Answer as the organization: confirm or reject a cancellation."},
			{Link{"/sandbox/banks", "Banks"}, "What each of them offers, for how long, and its address."},
			{Link{"/sandbox/terms", "Terms"}, "The texts that users accept."},
		},
		Banks:  Table{Caption: "Banks", Columns: []string{"Bank", "Country", "How its customers approve"}},
		People: Table{Caption: "People", Columns: []string{"Log in as", "Name", "What for"}},
	}
	for _, b := range has.Banks {
		data.Banks.Rows = append(data.Banks.Rows, []any{b.Name, b.Country, b.Approval})
	}
	for _, p := range has.People {
		data.People.Rows = append(data.People.Rows, []any{Code(p.ID), p.Name, p.Summary})
	}
	return Page{
		Title: "Sandbox", Section: sandboxPath, Template: "sandbox",
		Lead: "Fictional banks, people, carriers and organizations. Nothing here moves real money.",
		Data: data,
	}, nil
}
