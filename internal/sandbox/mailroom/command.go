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

// Apply runs a developer's command on a letter; see the package comment for the fields.
// It returns a *layout.Problem if the command is invalid or not possible now.
func (p *Processor) Apply(ctx context.Context, l Letter, form url.Values) error {
	action, now := form.Get("action"), p.TimeOf(ctx, l)
	_, known := layout.FindCommand(append(commands(l.Carrier), delays()...), action)
	switch {
	case !known:
		return layout.Invalid("The action does not exist.")
	case l.Carrier == Email:
		return layout.Conflict("SES decides what happens to mail, by its recipient's address.")
	case l.Lost():
		return layout.Conflict("This item is lost, so its state never changes again.")
	}
	driver := p.Drivers[l.Carrier]
	switch action {
	case "lose":
		l.Fate = Lose
	case "delay":
		d, err := layout.ReadMinutes(form)
		if err != nil {
			return err
		}
		if _, moves := driver.Wait(l); !moves {
			return layout.Conflict("There is no next step to delay.")
		}
		l.HeldUntil = now.Add(d)
	default:
		if err := driver.Apply(&l, action, now); err != nil {
			return fmt.Errorf("apply command: %w", err)
		}
	}
	err := p.Change(ctx, l)
	if errors.Is(err, outcome.ErrChanged) {
		return layout.Conflict("Another request changed it. Please try again.")
	}
	return err
}

// UpdateSetting sets the behaviour for new letters of a partner, or (empty) of all.
func (p *Processor) UpdateSetting(ctx context.Context, partner string, form url.Values) error {
	behaviour := form.Get("behaviour")
	if _, known := layout.FindCommand(behaviours(partner), behaviour); !known {
		return layout.Invalid("The behaviour does not exist.")
	}
	d, err := layout.ReadMinutes(form)
	if err != nil {
		return err
	}
	carriers := Carriers()
	if chosen := Carrier(form.Get("carrier")); chosen != "" {
		if !slices.Contains(carriers, chosen) {
			return layout.Invalid("The carrier does not exist.")
		}
		carriers = []Carrier{chosen}
	}
	settings := make([]Record, len(carriers))
	for i, carrier := range carriers {
		settings[i] = Setting{
			Carrier: carrier, Partner: partner, Behaviour: Behaviour(behaviour), Until: p.Now().UTC().Add(d),
		}
	}
	if err := p.Store.Save(ctx, settings...); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	return nil
}

// Setting returns the behaviour of a carrier with a partner, or (empty) with everybody.
func (p *Processor) Setting(ctx context.Context, carrier Carrier, partner string) (Setting, error) {
	if !p.PerPartner {
		partner = ""
	}
	s, err := p.Store.Setting(ctx, carrier, partner)
	if errors.Is(err, outcome.ErrNotFound) {
		return Setting{Carrier: carrier, Partner: partner, Behaviour: Normal}, nil
	}
	if err != nil {
		return s, fmt.Errorf("read setting: %w", err)
	}
	return s, nil
}
