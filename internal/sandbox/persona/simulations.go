package persona

import "sync"

// maxSimulations bounds the memory: a simulation has a few thousand rows.
const maxSimulations = 32

// Simulations keeps the statements that were simulated last. One takes 20 ms, and a client
// reads many pages of the same day. The zero value is empty.
type Simulations struct {
	mu   sync.Mutex
	done map[simulated]func() map[string]Statement
}

// simulated is a persona's life at a bank up to and including a day.
type simulated struct {
	persona string
	branch  Branch
	day     Day
}

// Statements returns the statements by the account's key. Callers must not change them.
func (s *Simulations) Statements(p Persona, b Branch, today Day) map[string]Statement {
	return s.once(simulated{p.ID, b, today}, p)()
}

func (s *Simulations) once(key simulated, p Persona) func() map[string]Statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	run, found := s.done[key]
	if !found {
		if s.done == nil || len(s.done) == maxSimulations {
			s.done = map[simulated]func() map[string]Statement{}
		}
		run = sync.OnceValue(func() map[string]Statement { return p.Statements(key.branch, key.day) })
		s.done[key] = run
	}
	return run
}
