package mailroom

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/outcome"
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
		if err := p.reply(ctx, l, reply); err != nil {
			return err
		}
	}
	return nil
}

// reply records an answer on a letter, whose state may change at the same time.
func (p *Processor) reply(ctx context.Context, l Letter, reply string) error {
	for range maxTries {
		l.Reply = reply
		err := p.Store.Save(ctx, l)
		if err == nil {
			return nil
		}
		if !errors.Is(err, outcome.ErrChanged) {
			return fmt.Errorf("save letter: %w", err)
		}
		if l, err = p.Store.Letter(ctx, l.ID); err != nil {
			return fmt.Errorf("read letter: %w", err)
		}
	}
	return fmt.Errorf("record reply: %w", outcome.ErrChanged)
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
