package persona

import "sync"

// maxSimulations bounds the memory: a simulation has a few thousand rows.
const maxSimulations = 16

// Simulations keeps the lives that were simulated last, because clients read many pages of
// many days. Five years take 20 ms; then a life goes on where it ended. The zero value is empty.
type Simulations struct {
	mu    sync.Mutex
	lives map[lived]*simulation
}

// lived is a persona's life at a bank.
type lived struct {
	persona string
	branch  Branch
}

// Statements returns the statements by the account's key. Callers must not change their rows.
func (s *Simulations) Statements(p Persona, b Branch, today Day) map[string]Statement {
	return s.life(p, b).statements(today)
}

func (s *Simulations) life(p Persona, b Branch) *simulation {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := lived{p.ID, b}
	life, found := s.lives[key]
	if !found {
		if s.lives == nil || len(s.lives) == maxSimulations {
			s.lives = map[lived]*simulation{}
		}
		life = newSimulation(p, b)
		s.lives[key] = life
	}
	return life
}
