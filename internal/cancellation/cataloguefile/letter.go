package cataloguefile

import (
	"errors"
	"slices"

	"aviso/internal/cancellation"
)

// Letters say what letters can hold, so that whatever is in the catalogue can be
// cancelled by one.
type Letters interface {
	// Check says why a text cannot be printed: a *cancellation.UnprintableError
	// for a character.
	Check(text string) error
	// Locales are those in which letters can be written.
	Locales() []cancellation.Locale
	// CheckCountry says why no letter in a locale, one of Locales, can be
	// addressed to a country.
	CheckCountry(l cancellation.Locale, code string) error
}

// printed is line1 for a text that stands in letters.
func (p place) printed(v node, most int) string {
	text := p.line1(v, most)
	err := p.file.letters.Check(text)
	var unprintable *cancellation.UnprintableError
	switch {
	case errors.As(err, &unprintable):
		p.fail("must not hold the character " + unprintable.Name + ", which no letter can print")
	case err != nil:
		p.fail("must be fit for a letter: " + err.Error())
	default:
		return text
	}
	return ""
}

// printed requires a text of one line that stands in letters.
func (m members) printed(name string, most int) string {
	v, there := m.require(name)
	if !there {
		return ""
	}
	return m.member(name).printed(v, most)
}

// reached notes the first locale in which no letter can be addressed to the
// country. Locales in which there are no letters at all have been noted before.
func (p place) reached(country string, locales []cancellation.Locale) {
	if country == "" {
		return
	}
	for _, l := range locales {
		if slices.Contains(p.file.locales, l) && p.file.letters.CheckCountry(l, country) != nil {
			p.fail("letters in " + string(l) + " have no name for this country")
			return
		}
	}
}
