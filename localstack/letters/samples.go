package main

import (
	"slices"
	"strings"
	"time"

	"aviso/internal/cancellation"
)

type sample struct {
	name   string
	letter cancellation.Letter
}

// samples returns letters in one locale that show what can vary.
func (d letterData) samples(locale cancellation.Locale, hand []byte) []sample {
	p := d.People[locale.Country()]
	customer, contract := d.Labels[locale.Language()][0], d.Labels[locale.Language()][1]
	paper := cancellation.Letter{
		Locale:       locale,
		Date:         time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC),
		Sender:       p.Sender,
		Organization: p.Recipient.Recipient[0],
		Address:      p.Recipient,
		Product:      p.Product,
		References: []cancellation.Reference{
			{Label: customer, Value: "4711 0815 23", IsNumber: true},
			{Label: contract, Value: "V-2024-118 845", IsNumber: true},
		},
		Signature: cancellation.Signature{Text: p.Sender.Name},
	}

	email := paper
	email.Address = cancellation.PostalAddress{}
	email.Email = "service@organization.example"
	email.References = email.References[:1]

	image := paper
	image.Signature = cancellation.Signature{Image: hand}

	deletion := paper
	deletion.DeleteData = true

	abroad := paper
	abroad.Address = d.People["LU"].Recipient
	abroad.Organization = abroad.Address.Recipient[0]
	abroad.Sender.Email, abroad.Sender.PhoneNumber = "", ""

	longest := deletion
	names := d.Longest[string(locale)]
	longest.Sender, longest.Product, longest.Address = names.Sender, names.Product, names.Recipient
	longest.Organization = longest.Address.Recipient[0]
	longest.References = append(slices.Clone(paper.References), cancellation.Reference{
		Label: contract, Date: time.Date(2024, time.March, 1, 0, 0, 0, 0, time.UTC),
	})
	longest.Signature = cancellation.Signature{Text: names.Sender.Name}

	byHand := paper
	byHand.Signature, byHand.SignByHand = cancellation.Signature{}, true
	byHand.Sender.Name = "Maximiliane-Alexandra Wolfeschlegelsteinhausenbergerdorff-Hohenlohe"

	long := deletion
	long.Sender.Name = strings.Repeat("Å", 300)
	long.Sender.Email = strings.Repeat("mailbox", 30) + "@mail.example"
	long.Product = strings.TrimSpace(strings.Repeat("Premium ", 25))
	long.References = nil
	for range 6 {
		long.References = append(long.References, paper.References...)
		long.References = append(long.References, cancellation.Reference{
			Label: contract + " " + customer + " " + contract, Value: strings.Repeat("0123456789-", 12),
		})
	}
	long.Signature = cancellation.Signature{Text: long.Sender.Name}

	return []sample{
		{"paper", paper}, {"email", email}, {"image", image}, {"by-hand", byHand},
		{"deletion", deletion}, {"abroad", abroad}, {"longest", longest}, {"long", long},
	}
}
