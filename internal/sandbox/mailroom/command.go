package mailroom

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
)

// Order carries out what a developer ordered for a letter; see the package's
// comment for the fields. It answers a *layout.Problem for what makes no sense, or
// cannot be done.
func (c *Processor) Apply(ctx context.Context, l Letter, form url.Values) error {
	action, now := form.Get("action"), c.Now().UTC()
	_, known := layout.FindCommand(append(commands(l.Carrier), delays()...), action)
	switch {
	case !known:
		return layout.Invalid("There is no such action.")
	case l.Lost():
		return layout.Conflict("It is lost: nothing will be heard of it again.")
	}
	driver := c.Drivers[l.Carrier]
	switch action {
	case "lose":
		l.Fate = Lose
	case "delay":
		d, err := layout.ReadMinutes(form, "It")
		if err != nil {
			return err
		}
		if _, moves := driver.Wait(l); !moves {
			return layout.Conflict("Nothing is on its way that could wait.")
		}
		l.HeldUntil = now.Add(d)
	default:
		if err := driver.Apply(&l, action, now); err != nil {
			return fmt.Errorf("order: %w", err)
		}
	}
	err := c.Change(ctx, l)
	if errors.Is(err, outcome.ErrChanged) {
		return layout.Conflict("It has changed at the same moment. Please try again.")
	}
	return err
}

// Set takes a setting for letters to come.
func (c *Processor) UpdateSetting(ctx context.Context, form url.Values) error {
	behaviour := form.Get("behaviour")
	if _, known := layout.FindCommand(behaviours(), behaviour); !known {
		return layout.Invalid("There is no such behaviour.")
	}
	d, err := layout.ReadMinutes(form, "It")
	if err != nil {
		return err
	}
	carriers := Carriers()
	if chosen := Carrier(form.Get("carrier")); chosen != "" {
		if !slices.Contains(carriers, chosen) {
			return layout.Invalid("There is no such carrier.")
		}
		carriers = []Carrier{chosen}
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
func (c *Processor) Setting(ctx context.Context, carrier Carrier) (Setting, error) {
	s, err := c.Store.Setting(ctx, carrier)
	if errors.Is(err, outcome.ErrNotFound) {
		return Setting{Carrier: carrier, Behaviour: Normal}, nil
	}
	if err != nil {
		return s, fmt.Errorf("read setting: %w", err)
	}
	return s, nil
}
