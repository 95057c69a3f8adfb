package carrier

import (
	"regexp"
	"strings"

	"aviso/internal/cancellation"
)

const typeLetters = "letters"

// document and resource are the frame of JSON:API.
type document struct {
	Data resource `json:"data"`
}

type resource struct {
	ID         string     `json:"id,omitempty"`
	Type       string     `json:"type"`
	Attributes attributes `json:"attributes"`
}

// attributes are those of a letter as it is created and sent.
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

// metaData tells the post who gets a registered letter and who gets it back.
// Other letters are brought by the address in the window alone.
type metaData struct {
	Recipient party `json:"recipient"`
	Sender    party `json:"sender"`
}

// party is an address as Pingen takes it: either street and number, or a PO
// box. The limits are characters.
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

// letter is one as Pingen shows it.
type letter struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Attributes struct {
		Status         string `json:"status"`
		TrackingNumber string `json:"tracking_number"`
	} `json:"attributes"`
}

func (l letter) receipt() cancellation.Receipt {
	return cancellation.Receipt{Reference: l.ID, TrackingNumber: trackingNumber(l.Attributes.TrackingNumber)}
}

// stage is what a status means for us.
type stage int

const (
	stageUnknown  stage = iota
	stageChecking       // not yet known whether it can be sent
	stageReady          // waits to be sent
	stageSent           // is on its way, or will be without us
	stageFailed         // will not arrive
)

// stage sorts the statuses; the package comment lists them.
func (l letter) stage() stage {
	switch l.Attributes.Status {
	case "validating", "fixing":
		return stageChecking
	case "valid":
		return stageReady
	case "submitted", "awaiting_credits", "accepted", "inspection", "processing", "printing", "transferring", "sent", "delivered":
		return stageSent
	case "action_required", "invalid", "unprintable", "rejected", "expired",
		"cancelling", "cancelled", "cancelled_expired", "undeliverable":
		return stageFailed
	default:
		return stageUnknown
	}
}

// product is how the shipment is printed and brought.
func (p *Post) product(s cancellation.Shipment) attributes {
	a := attributes{DeliveryProduct: "fast", PrintMode: "simplex", PrintSpectrum: "grayscale"}
	if s.Channel.Kind == cancellation.ChannelRegisteredMail {
		a.DeliveryProduct = "registered"
		a.MetaData = &metaData{Recipient: partyOf(s.Channel.Address), Sender: partyOf(p.returnAddress)}
	}
	return a
}

// isFinal tells whether nothing will happen to the letter any more.
func (l letter) isFinal() bool {
	switch l.Attributes.Status {
	case "sent", "delivered":
		return true
	case "cancelling":
		return false
	default:
		return l.stage() == stageFailed
	}
}

var (
	poBox = regexp.MustCompile(`(?i)^(postfach|p\.? ?o\.? ?box|case postale|casella postale|b\.?p\.?) ?\d*`)
	// houseNumber is what a street ends with: 12, 12a, 12 a, 12-14, 12/3.
	houseNumber = regexp.MustCompile(`^(.*\D) +(\d+ ?[a-zA-Z]?(?:[-/]\d+ ?[a-zA-Z]?)*)$`)
)

// partyOf takes the first line of the addressee: the others are departments,
// which the window shows.
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

// cut shortens to a number of characters.
func cut(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return strings.TrimSpace(string(runes[:limit]))
	}
	return s
}

// trackingNumber is empty for what is none.
func trackingNumber(s string) string {
	if !trackingShape.fits(s) || !isLetterOrDigit(s[0]) {
		return ""
	}
	return s
}
