// Command letters writes sample letters and evidence in every locale, to look at (make letters).
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/letter"
	"aviso/internal/evidence/evidencetest"
)

const folder = ".build/letters"

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "letters:", err)
		os.Exit(1)
	}
}

func write() error {
	writer := letter.New()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	data, err := readData()
	if err != nil {
		return err
	}
	hand, err := scribble()
	if err != nil {
		return err
	}
	for _, locale := range writer.Locales() {
		for _, s := range data.samples(locale, hand) {
			document, err := writer.Write(s.letter)
			if err != nil {
				return fmt.Errorf("write %s of %s: %w", s.name, locale, err)
			}
			file := filepath.Join(folder, string(locale)+"-"+s.name)
			mail := "Subject: " + document.Subject + "\nAttached: " + document.FileName + "\n\n" + document.Text
			if err := os.WriteFile(file+".pdf", document.PDF, 0o644); err != nil {
				return err
			}
			if err := os.WriteFile(file+".txt", []byte(mail), 0o644); err != nil {
				return err
			}
			fmt.Printf("%s.pdf  %d KB\n", file, (len(document.PDF)+1023)/1024)
		}
		if err := data.writeEvidence(locale); err != nil {
			return err
		}
	}
	return nil
}

// writeEvidence writes the summaries of evidence, the one of the longest history with the
// longest names.
func (d letterData) writeEvidence(locale cancellation.Locale) error {
	for _, history := range evidencetest.Histories() {
		p := d.People[locale.Country()]
		if history == "failed" {
			p = d.Longest[string(locale)]
		}
		a := p.Recipient
		pdf, err := letter.Summarize(evidencetest.Document(evidencetest.About{
			Locale: string(locale), Organization: a.Recipient[0], Product: p.Product, Email: "service@organization.example",
			Address: strings.Join(append(slices.Clone(a.Recipient), a.Street, a.PostalCode+" "+a.City, a.CountryCode), ", "),
			Fax:     "+00 555 010 20 31",
		}, history), p.Sender.Name)
		if err != nil {
			return fmt.Errorf("summarize %s in %s: %w", history, locale, err)
		}
		file := filepath.Join(folder, string(locale)+"-evidence-"+history+".pdf")
		if err := os.WriteFile(file, pdf, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s  %d KB\n", file, (len(pdf)+1023)/1024)
	}
	return nil
}

// scribble draws a signature: loops of blue ink on a transparent background.
func scribble() ([]byte, error) {
	m := image.NewNRGBA(image.Rect(0, 0, 900, 360))
	ink := color.NRGBA{R: 0x10, G: 0x20, B: 0x80, A: 0xFF}
	for step := range 12_000 {
		t := float64(step) / 12_000
		x := 80 + 720*t + 60*math.Sin(2*math.Pi*9*t)
		y := 190 - 110*(1-t)*math.Cos(2*math.Pi*9*t) - 25*math.Sin(2*math.Pi*2*t)
		for dx := range 7 {
			for dy := range 7 {
				m.SetNRGBA(int(x)+dx-3, int(y)+dy-3, ink)
			}
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}
