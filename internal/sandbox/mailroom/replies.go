package mailroom

import (
	"context"
	"fmt"
)

// all is more letters than a sandbox receives.
const all = 1 << 20

// Awaiting returns the letters of a partner, or (empty) of all, that their organizations
// can answer: of each cancellation the newest, newest first. It reads all letters; a
// sandbox receives few.
func (p *Processor) Awaiting(ctx context.Context, partner string) ([]Letter, error) {
	letters, err := p.lettersOf(ctx, partner, "", all)
	if err != nil {
		return nil, err
	}
	seen, awaiting := map[string]bool{}, []Letter{}
	for _, l := range letters {
		if !seen[l.CancellationID] && l.AwaitsReply() {
			awaiting = append(awaiting, l)
		}
		seen[l.CancellationID] = true
	}
	return awaiting, nil
}

// Replied records an organization's answer to a cancellation on all of its letters.
func (p *Processor) Replied(ctx context.Context, cancellationID, reply string) error {
	letters, err := p.lettersOf(ctx, "", "", all)
	if err != nil {
		return err
	}
	for _, l := range letters {
		if l.CancellationID != cancellationID {
			continue
		}
		if _, err := p.update(ctx, l, func(l *Letter) { l.Reply = reply }); err != nil {
			return err
		}
	}
	return nil
}

// lettersOf reads letters of a partner, or (empty) of all.
func (p *Processor) lettersOf(ctx context.Context, partner, before string, limit int) ([]Letter, error) {
	read := func() ([]Letter, error) { return p.Store.PartnerLetters(ctx, partner, before, limit) }
	if partner == "" {
		read = func() ([]Letter, error) { return p.Store.Letters(ctx, "", before, limit) }
	}
	letters, err := read()
	if err != nil {
		return nil, fmt.Errorf("list letters: %w", err)
	}
	return letters, nil
}
