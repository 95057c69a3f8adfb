package carrier

import (
	"regexp"
	"strings"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
)

const typeLetters = "letters"

// document and resource are the envelope of JSON:API.
type document struct {
	Data resource `json:"data"`
}

type resource struct {
	ID         string     `json:"id,omitempty"`
	Type       string     `json:"type"`
	Attributes attributes `json:"attributes"`
}

// attributes are the attributes for creating and sending a letter.
type attributes struct {
	FileName        string    `json:"file_original_name,omitempty"`
	FileURL         string    `json:"file_url,omitempty"`
	FileSignature   string    `json:"file_url_signature,omitempty"`
	AddressPosition string    `json:"address_position,omitempty"`
	AutoSend        *bool     `json:"auto_send,omitempty"`
	DeliveryProduct string    `json:"delivery_product"`
	PrintMode       string    `json:"print_mode"`
	PrintSpectrum   string    `json:"print_spectrum"`
	MetaData        *metaData `json:"meta_data,omitempty"`
}

// metaData has the recipient and the sender of a registered letter. Other letters
// need only the address in the window.
type metaData struct {
	Recipient party `json:"recipient"`
	Sender    party `json:"sender"`
}

// party is an address in Pingen's form: either street and number, or a PO box. The comments are Pingen's limits in
// characters.
type party struct {
	Name    string `json:"name"`             // 45
	Street  string `json:"street,omitempty"` // 40
	Number  string `json:"number,omitempty"` // 10
	POBox   string `json:"pobox,omitempty"`  // 45
	Zip     string `json:"zip"`              // 8
	City    string `json:"city"`             // 25
	Country string `json:"country"`
}

type fileUpload struct {
	URL       string `json:"url"`
	Signature string `json:"url_signature"`
}

// letter is a letter as Pingen returns it.
type letter struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Attributes struct {
		Status         string `json:"status"`
		TrackingNumber string `json:"tracking_number"`
	} `json:"attributes"`
}

func (l letter) receipt() dispatch.Receipt {
	return dispatch.Receipt{Reference: l.ID, TrackingNumber: trackingPattern.FindString(l.Attributes.TrackingNumber)}
}

// stage is our meaning of a status.
type stage int

const (
	stageUnknown  stage = iota
	stageChecking       // Pingen is checking whether it can be sent
	stageReady          // ready to send
	stageSent           // sent, or Pingen will send it without another call
	stageFailed         // will not arrive
)

// stage returns the stage of the status. The package comment lists the statuses.
func (l letter) stage() stage {
	switch l.Attributes.Status {
	case "validating", "fixing":
		return stageChecking
	case "valid":
		return stageReady
	case "submitted", "awaiting_credits", "accepted", "inspection", "processing", "printing", "transferring",
		"sent", "delivered":
		return stageSent
	case "action_required", "invalid", "unprintable", "rejected", "expired",
		"cancelling", "cancelled", "cancelled_expired", "undeliverable":
		return stageFailed
	default:
		return stageUnknown
	}
}

// product returns the attributes for printing and delivering the shipment.
func (p *Post) product(s dispatch.Shipment) attributes {
	a := attributes{DeliveryProduct: "fast", PrintMode: "simplex", PrintSpectrum: "grayscale"}
	if s.Channel.Kind == cancellation.ChannelRegisteredMail {
		a.DeliveryProduct = "registered"
		a.MetaData = &metaData{Recipient: partyOf(*s.Channel.Address), Sender: partyOf(p.ReturnAddress)}
	}
	return a
}

// isFinal reports whether the letter's status can no longer change.
func (l letter) isFinal() bool {
	status := l.Attributes.Status
	return status == "sent" || status == "delivered" || status != "cancelling" && l.stage() == stageFailed
}

var (
	poBox = regexp.MustCompile(`(?i)^(postfach|p\.? ?o\.? ?box|case postale|casella postale|b\.?p\.?) ?\d*`)
	// houseNumber splits off a house number: 12, 12a, 12 a, 12-14, 12/3.
	houseNumber = regexp.MustCompile(`^(.*\D) +(\d+ ?[a-zA-Z]?(?:[-/]\d+ ?[a-zA-Z]?)*)$`)
)

// partyOf uses only the first line of the recipient. The other lines are departments, which the window shows.
func partyOf(a cancellation.PostalAddress) party {
	r := party{Zip: a.PostalCode, City: cut(a.City, 25), Country: a.CountryCode}
	if len(a.Recipient) > 0 {
		r.Name = cut(a.Recipient[0], 45)
	}
	street := strings.TrimSpace(a.Street)
	if poBox.MatchString(street) {
		r.POBox = cut(street, 45)
		return r
	}
	if m := houseNumber.FindStringSubmatch(street); len(m) == 3 && len(m[2]) <= 10 {
		street, r.Number = strings.TrimSpace(m[1]), m[2]
	}
	r.Street = cut(street, 40)
	return r
}

// cut shortens s to at most limit characters.
func cut(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return strings.TrimSpace(string(runes[:limit]))
	}
	return s
}
