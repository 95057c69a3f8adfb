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

// letterData holds a person per country code, one per locale with the longest names that
// people, streets, towns and companies have there, and per language the labels of the
// fields for customer and contract number.
type letterData struct {
	People  map[string]person
	Longest map[string]person
	Labels  map[string][2]string
}

//go:embed people.json
var peopleJSON []byte

func readData() (letterData, error) {
	var d letterData
	err := json.Unmarshal(peopleJSON, &d)
	for _, people := range []map[string]person{d.People, d.Longest} {
		for place, p := range people {
			if p.Sender.Name != "" {
				p.Sender.Email, p.Sender.PhoneNumber = "post@mail.example", "+00 555 010 20 30"
				people[place] = p
			}
		}
	}
	return d, err
}
