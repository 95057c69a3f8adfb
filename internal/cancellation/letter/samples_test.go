package letter

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
)

var samplesFolder = flag.String("samples", "", "where TestSamples writes its letters, to look at (make letters)")

// Letters and evidence of every kind can be written in every locale.
func TestSamples(t *testing.T) {
	writer, data := Writer{}, readData(t)
	for _, locale := range writer.Locales() {
		for _, s := range data.samples(locale) {
			document, err := writer.Write(s.letter)
			require.NoError(t, err, "%s of %s", s.name, locale)
			mail := "Subject: " + document.Subject + "\nAttached: " + document.FileName + "\n\n" + document.Text
			name := string(locale) + "-" + s.name
			save(t, name+".pdf", document.PDF)
			save(t, name+".txt", []byte(mail))
		}
		data.writeEvidence(t, locale)
	}
}

func save(t *testing.T, name string, content []byte) {
	t.Helper()
	if *samplesFolder != "" {
		require.NoError(t, os.MkdirAll(*samplesFolder, 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(*samplesFolder, name), content, 0o600))
	}
}

// writeEvidence writes the summaries of evidence, the one of the longest history with the
// longest names.
func (d letterData) writeEvidence(t *testing.T, locale cancellation.Locale) {
	t.Helper()
	for _, history := range histories() {
		p := d.People[locale.Country()]
		if history == "failed" {
			p = d.Longest[string(locale)]
		}
		a := p.Recipient
		pdf, err := Summarize(evidenceOf(about{
			Locale: string(locale), Organization: a.Recipient[0], Product: p.Product, Email: "service@organization.example",
			Address: strings.Join(append(slices.Clone(a.Recipient), a.Street, a.PostalCode+" "+a.City, a.CountryCode), ", "),
			Fax:     "+00 555 010 20 31",
		}, history), p.Sender.Name)
		require.NoError(t, err, "%s in %s", history, locale)
		save(t, string(locale)+"-evidence-"+history+".pdf", pdf)
	}
}

type sample struct {
	name   string
	letter cancellation.Letter
}

// samples returns letters in one locale that show what can vary.
func (d letterData) samples(locale cancellation.Locale) []sample {
	p, names := d.People[locale.Country()], d.Longest[string(locale)]
	for _, sender := range []*cancellation.Sender{&p.Sender, &names.Sender} {
		sender.Email, sender.PhoneNumber = "post@mail.example", "+00 555 010 20 30"
	}
	customer, contract := d.Labels[locale.Language()][0], d.Labels[locale.Language()][1]
	paper := cancellation.Letter{
		Locale: locale, Date: time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC), Sender: p.Sender,
		Organization: p.Recipient.Recipient[0], Address: p.Recipient, Product: p.Product,
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
	image.Signature = cancellation.Signature{Image: d.signature}

	deletion := paper
	deletion.DeleteData = true

	abroad := paper
	abroad.Address = d.People["LU"].Recipient
	abroad.Organization = abroad.Address.Recipient[0]
	abroad.Sender.Email, abroad.Sender.PhoneNumber = "", ""
	abroad.Mailbox = "answers@aviso.example"

	bare := email
	bare.Sender, bare.Mailbox = cancellation.Sender{Name: p.Sender.Name}, abroad.Mailbox

	longest := deletion
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

	special := paper
	special.End = time.Date(2027, time.January, 31, 0, 0, 0, 0, time.UTC)
	special.Reason = deadline.Reason{Kind: deadline.ReasonPriceRise, Date: "2027-01-01", Article: "§ 57 Abs. 1 TKG"}
	for _, g := range deadline.Grounds(locale.Country(), deadline.Telecom) {
		if g.Kind == deadline.ReasonPriceRise {
			special.Reason.Article = g.Cite(locale.Language())
		}
	}

	insurance := paper
	insurance.Sector = deadline.HomeInsurance

	objection := paper
	objection.References = objection.References[:1]
	objection.Objection = &cancellation.Objection{
		SentOn: paper.Date, EndedOn: special.End, SHA256: strings.Repeat("60303ae22b998861", 4),
		Debits: []cancellation.Debit{{Date: "2027-02-03", Amount: "-13.99", Currency: "EUR"}},
	}
	objections := objection
	several := *objection.Objection
	several.Debits = append(several.Debits, cancellation.Debit{Date: "2027-03-03", Amount: "-1213.9", Currency: "EUR"})
	objections.Objection = &several

	return []sample{
		{"paper", paper}, {"email", email}, {"image", image}, {"by-hand", byHand},
		{"deletion", deletion}, {"abroad", abroad}, {"longest", longest}, {"long", long},
		{"bare", bare}, {"special", special}, {"insurance", insurance}, {"objection", objection}, {"objections", objections},
	}
}

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

	signature []byte // an image
}

func readData(t *testing.T) (d letterData) {
	t.Helper()
	people, err := os.ReadFile("testdata/samples/people.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(people, &d))
	d.signature, err = os.ReadFile("testdata/samples/signature.png")
	require.NoError(t, err)
	return d
}
