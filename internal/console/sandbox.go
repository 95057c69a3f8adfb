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
	Banks, People Table
}

func (c *Console) showSandbox(call *Call) (Answer, error) {
	has := c.Sandbox()
	data := sandboxPage{Clock: clockSearch(call), Banks: tableOf("banks"), People: tableOf("people")}
	for _, b := range has.Banks {
		data.Banks.Rows = append(data.Banks.Rows, []any{b.Name, b.Country, b.Approval})
	}
	for _, p := range has.People {
		data.People.Rows = append(data.People.Rows, []any{Code(p.ID), p.Name, p.Summary})
	}
	return pageOf("sandbox", data), nil
}
