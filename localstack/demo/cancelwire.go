package main

import "time"

type organization struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type searchData struct {
	Organizations []organization `json:"organizations"`
}

type productsData struct {
	Products []struct {
		ProductID string   `json:"productId"`
		Locales   []string `json:"locales"`
	} `json:"products"`
}

type templateField struct {
	FieldKey string `json:"fieldKey"`
	Label    string `json:"label"`
	Format   string `json:"format"`
}

type product struct {
	ProductID      string          `json:"productId"`
	OrganizationID string          `json:"organizationId"`
	Name           string          `json:"name"`
	Template       []templateField `json:"template"`
}

type productData struct {
	Product product `json:"product"`
}

type parameter struct {
	FieldKey   string `json:"fieldKey"`
	FieldValue string `json:"fieldValue"`
}

type signature struct {
	Type string `json:"type"`
	Data string `json:"data"`
}

type cancellationRequest struct {
	ExternalID     string      `json:"externalCancellationRequestIdentifier,omitempty"`
	OrganizationID string      `json:"organizationId"`
	ProductID      string      `json:"productId"`
	Locale         string      `json:"locale"`
	Parameters     []parameter `json:"parameters"`
	Signature      signature   `json:"signature"`
}

type cancellation struct {
	CancellationID string `json:"cancellationId"`
	Channel        string `json:"channel"`
	Status         string `json:"status"`
	StatusReason   string `json:"statusReason"`
	LetterSHA256   string `json:"letterSha256"`
	TrackingNumber string `json:"trackingNumber"`
	History        []struct {
		Status string    `json:"status"`
		At     time.Time `json:"at"`
	} `json:"history"`
}

type cancellationData struct {
	Cancellation cancellation `json:"cancellation"`
}

type letter struct {
	Channel string `json:"channel"`
	PDF     []byte `json:"pdf"`
	SHA256  string `json:"sha256"`
}

type letterData struct {
	Letter letter `json:"letter"`
}

// inboxData is what the SES emulator keeps of mail.
type inboxData struct {
	Emails []mail `json:"emails"`
}

type mail struct {
	Subject     string `json:"subject"`
	Destination struct {
		To []string `json:"to"`
	} `json:"destination"`
	Attachments []struct {
		Filename string `json:"filename"`
		Content  []byte `json:"content"`
	} `json:"attachments"`
}

// sandboxLetters is a page of what the sandbox's carriers have got.
type sandboxLetters struct {
	Letters []sandboxLetter `json:"letters"`
	Next    string          `json:"next"`
}

type sandboxLetter struct {
	How            string `json:"how"`
	State          string `json:"state"`
	CancellationID string `json:"cancellationId"`
}
