package consolefn

import (
	"aviso/internal/console"
	"aviso/internal/sandbox/persona"
)

// personas runs when somebody opens the page of the sandbox, so that the function starts without
// the data.
func personas() (all []console.Persona) {
	for _, p := range persona.All() {
		all = append(all, console.Persona{ID: p.ID, Name: p.Name, Summary: p.Summary})
	}
	return all
}
