package contract

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// claim is an ID that some payments of a series have.
type claim struct {
	series *series
	// number is the ID's place in Group.Contracts, from 1.
	number, payments int
}

// identify gives each series that is a contract an ID of its own. The ID is kept with the
// payments: a series has the one that most of its payments had before. A series without
// one gets an ID that is derived from its first payment, so the same payments always give
// the same ID. A payment that leaves its series keeps the ID, in case it comes back.
func (g *Group) identify(found []*series) {
	found = slices.DeleteFunc(slices.Clone(found), func(s *series) bool { return !s.isContract() })
	var claims []claim
	for _, s := range found {
		payments := map[int]int{}
		for _, i := range s.members {
			payments[g.Held[i].Contract]++
		}
		delete(payments, 0)
		for number, n := range payments {
			claims = append(claims, claim{s, number, n})
		}
	}
	slices.SortFunc(claims, func(a, b claim) int {
		return cmp.Or(
			cmp.Compare(b.payments, a.payments), cmp.Compare(a.number, b.number),
			cmp.Compare(a.series.members[0], b.series.members[0]),
		)
	})
	taken := map[int]bool{}
	for _, c := range claims {
		if c.series.contract == "" && !taken[c.number] {
			c.series.contract, taken[c.number] = g.Contracts[c.number-1], true
		}
	}
	for _, s := range found {
		g.name(s)
	}
	g.forgetContracts()
}

// name writes the ID of the series to its payments.
func (g *Group) name(s *series) {
	if s.contract == "" {
		// A payment that has moved to another series has given its ID to the first one.
		for name := g.Held[s.members[0]].ID; s.contract == "" || slices.Contains(g.Contracts, s.contract); name += "/next" {
			s.contract = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/contracts/"+name)).String()
		}
		g.Contracts = append(g.Contracts, s.contract)
	}
	number := slices.Index(g.Contracts, s.contract) + 1
	for _, i := range s.members {
		g.Held[i].Contract = number
	}
}

// forgetContracts drops IDs that no payment has, and numbers the rest by their first
// payments.
func (g *Group) forgetContracts() {
	var kept []string
	for i, e := range g.Held {
		if e.Contract == 0 {
			continue
		}
		id := g.Contracts[e.Contract-1]
		if !slices.Contains(kept, id) {
			kept = append(kept, id)
		}
		g.Held[i].Contract = slices.Index(kept, id) + 1
	}
	g.Contracts = kept
}
