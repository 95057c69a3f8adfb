package bank

import (
	"sync"

	"aviso/internal/sandbox/persona"
)

// maxSimulations bounds the memory: a simulation has a few thousand rows.
const maxSimulations = 32

// simulations keeps the statements that were simulated last. One takes 20 ms, and a client
// reads many pages of the same day.
type simulations struct {
	mu   sync.Mutex
	done map[simulation]func() map[string]persona.Statement
}

// simulation is a persona's life at a bank up to and including a day.
type simulation struct {
	persona string
	branch  persona.Branch
	day     persona.Day
}

// statements returns the statements by the account's key. Callers must not change them.
func (s *simulations) statements(p persona.Persona, b persona.Branch, today persona.Day) map[string]persona.Statement {
	return s.once(simulation{p.ID, b, today}, p)()
}

func (s *simulations) once(key simulation, p persona.Persona) func() map[string]persona.Statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	run, found := s.done[key]
	if !found {
		if s.done == nil || len(s.done) == maxSimulations {
			s.done = map[simulation]func() map[string]persona.Statement{}
		}
		run = sync.OnceValue(func() map[string]persona.Statement { return p.Statements(key.branch, key.day) })
		s.done[key] = run
	}
	return run
}
