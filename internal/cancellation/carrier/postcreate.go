package carrier

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/cancellation"
)

// create uploads the document and creates the letter. It sends nothing, so a failure
// never leaves the letter unclear.
//
// The shipment's ID is the idempotency key (Pingen repeats its response for 24
// hours), which finds a letter whose ID was not noted.
func (p *Post) create(ctx context.Context, s cancellation.Shipment) (letter, *cancellation.CarrierError) {
	file, failure := p.upload(ctx, s.Document.PDF)
	if failure != nil {
		return letter{}, failure
	}
	attributes := p.product(s)
	// Pingen has no field for IDs of ours except the file name, which the recipient does
	// not see. A partner's ID has no dot.
	attributes.FileName = s.CancellationID + "." + string(s.Partner) + "." + fileName(s.Document.FileName)
	attributes.FileURL, attributes.FileSignature = file.URL, file.Signature
	attributes.AddressPosition, attributes.AutoSend = "left", new(bool)
	if s.Document.AddressOnTheRight {
		attributes.AddressPosition = "right"
	}
	call := request{
		operation: createLetter, method: http.MethodPost, url: p.letters,
		header: map[string]string{"Idempotency-Key": s.ID},
		body:   document{Data: resource{Type: typeLetters, Attributes: attributes}},
	}
	a, failure := p.call(ctx, call)
	if failure != nil && keyMayBeUsedUp(a) {
		call.header = map[string]string{"Idempotency-Key": fmt.Sprintf("%s-%d", s.ID, p.Now().Unix())}
		a, failure = p.call(ctx, call)
	}
	var l letter
	if failure == nil {
		l, failure = parseLetter(createLetter, a, "")
	}
	if failure != nil {
		return letter{}, busyIfUnclear(failure)
	}
	if replayed(a) {
		// The response may be out of date.
		return p.read(ctx, l.ID)
	}
	return l, nil
}

// keyMayBeUsedUp reports whether a failure may be about the key instead of the
// letter: Pingen repeats an earlier failure, or rejects an upload that differs from
// the earlier one. A try with a new key finds out.
func keyMayBeUsedUp(a response) bool {
	return replayed(a) || a.status == http.StatusBadRequest || a.status == http.StatusConflict ||
		a.status == http.StatusUnprocessableEntity
}

// replayed reports whether Pingen repeated an earlier response.
func replayed(a response) bool { return a.header.Get("Idempotent-Replayed") == "true" }

// upload uploads the document for Pingen.
func (p *Post) upload(ctx context.Context, pdf []byte) (fileUpload, *cancellation.CarrierError) {
	var answered struct {
		Data struct {
			Attributes fileUpload `json:"attributes"`
		} `json:"data"`
	}
	_, failure := p.call(ctx, request{
		operation: requestUpload, method: http.MethodGet, url: p.BaseURL + "/file-upload", into: &answered,
	})
	file := answered.Data.Attributes
	target, err := url.Parse(file.URL)
	if failure == nil && (file.Signature == "" || err != nil || target.Host == "" || target.User != nil ||
		target.Scheme != "https" && !strings.HasPrefix(p.BaseURL, target.Scheme+":")) {
		failure = malformed(requestUpload)
	}
	if failure == nil {
		// The URL itself is the credential, so the token is not sent.
		_, failure = p.client.do(ctx, request{
			operation: uploadLetter, method: http.MethodPut, url: file.URL, body: pdf, media: "application/pdf",
		})
	}
	if failure != nil {
		return fileUpload{}, asBusy(failure)
	}
	return file, nil
}
