package mailroom

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"aviso/internal/outcome"
)

// Order carries out what a developer ordered for a letter; see the package's
// comment for the fields. It answers a *Problem for what makes no sense, or
// cannot be done.
func (c *Clerk) Order(ctx context.Context, l Letter, form url.Values) error {
	action, now := form.Get("action"), c.Now().UTC()
	_, known := find(append(orders(l.Carrier), delays()...), action)
	switch {
	case !known:
		return wrong("There is no such action.")
	case l.Lost():
		return NotNow("It is lost: nothing will be heard of it again.")
	}
	course := c.Handling[l.Carrier]
	switch action {
	case "lose":
		l.Fate = Lose
	case "delay":
		d, err := minutes(form)
		if err != nil {
			return err
		}
		if _, moves := course.Wait(l); !moves {
			return NotNow("Nothing is on its way that could wait.")
		}
		l.HeldUntil = now.Add(d)
	default:
		if err := course.Order(&l, action, now); err != nil {
			return fmt.Errorf("order: %w", err)
		}
	}
	err := c.Change(ctx, l)
	if errors.Is(err, outcome.ErrChanged) {
		return NotNow("It has changed at the same moment. Please try again.")
	}
	return err
}

// Set takes a setting for letters to come.
func (c *Clerk) Set(ctx context.Context, form url.Values) error {
	behaviour := form.Get("behaviour")
	if _, known := find(behaviours(), behaviour); !known {
		return wrong("There is no such behaviour.")
	}
	d, err := minutes(form)
	if err != nil {
		return err
	}
	carriers, err := carriersOf(form)
	if err != nil {
		return err
	}
	settings := make([]Record, len(carriers))
	for i, carrier := range carriers {
		settings[i] = Setting{Carrier: carrier, Behaviour: Behaviour(behaviour), Until: c.Now().UTC().Add(d)}
	}
	if err := c.Store.Save(ctx, settings...); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	return nil
}

// Setting is how a carrier behaves.
func (c *Clerk) Setting(ctx context.Context, carrier Carrier) (Setting, error) {
	s, err := c.Store.Setting(ctx, carrier)
	if errors.Is(err, outcome.ErrNotFound) {
		return Setting{Carrier: carrier, Behaviour: Normal}, nil
	}
	if err != nil {
		return s, fmt.Errorf("read setting: %w", err)
	}
	return s, nil
}
