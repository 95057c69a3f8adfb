package console

const sandboxPath = Path + "/sandbox"

// Persona is a fictional person with accounts at every bank of the sandbox.
type Persona struct{ ID, Name, Summary string }

func (c *Console) showSandbox(call *Call) (Answer, error) {
	page := pageOf("sandbox")
	page.Find = formOf("findClock", clockPath, call.URL.Query())
	people := tableOf("people")
	for _, p := range c.Personas() {
		people.Rows = append(people.Rows, []any{Code(p.ID), p.Name, p.Summary})
	}
	page.More = people
	return page, nil
}
