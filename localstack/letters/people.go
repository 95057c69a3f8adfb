package main

import (
	_ "embed"
	"encoding/json"

	"aviso/internal/cancellation"
)

// person is a sender, with a contract and the organization it is with.
type person struct {
	Sender    cancellation.Sender
	Recipient cancellation.PostalAddress
	Product   string
}

// letterData holds a person per country code, and per language the labels of the fields
// for customer and contract number.
type letterData struct {
	People map[string]person
	Labels map[string][2]string
}

//go:embed people.json
var peopleJSON []byte

func readData() (letterData, error) {
	var d letterData
	err := json.Unmarshal(peopleJSON, &d)
	for country, p := range d.People {
		if p.Sender.Name != "" {
			p.Sender.Email, p.Sender.PhoneNumber = "post@mail.example", "+00 555 010 20 30"
			d.People[country] = p
		}
	}
	return d, err
}
