package cataloguefile

import (
	"slices"

	"aviso/internal/cancellation"
)

func (m members) product(o cancellation.Organization) cancellation.Product {
	p := cancellation.Product{
		OrganizationID: o.ID, Slug: m.slug("slug"), Name: m.printed("name", maxName), Locales: m.locales("locales"),
		Form: m.form("form"), Inactive: m.truth("inactive"),
	}
	p.ID = cancellation.ProductID(o.Slug, p.Slug)
	for _, l := range p.Locales {
		if len(o.Locales) > 0 && !slices.Contains(o.Locales, l) {
			m.member("locales").fail("every locale must be one of the organization's")
			break
		}
	}
	p.Channels = m.channels("channels", p)
	p.Fields = m.fields("fields", p)
	m.done()
	return p
}

func (m members) form(name string) cancellation.FormRequirement {
	form := cancellation.FormRequirement(m.text(name, maxName))
	switch form {
	case "", cancellation.FormText, cancellation.FormWritten, cancellation.FormWetInk:
		return form
	default:
		m.member(name).fail("must be Text, Written or WetInk")
		return ""
	}
}

// channels requires the ways to an organization, none twice. What has to be on
// paper takes no other way, and all paper goes to one address, since a letter
// says the same whichever way it goes.
func (m members) channels(name string, p cancellation.Product) []cancellation.Channel {
	var list []cancellation.Channel
	var paper *cancellation.PostalAddress
	for i, v := range m.list(name, 4) {
		at := m.member(name).element(i)
		channel, ok := at.object(v)
		if !ok {
			continue
		}
		c := channel.channel(p.Locales)
		channel.done()
		if c.Kind == "" {
			continue
		}
		if slices.ContainsFunc(list, func(other cancellation.Channel) bool { return other.Kind == c.Kind }) {
			at.member("kind").fail("the channel is there twice")
		}
		if !c.Kind.OnPaper() && (p.Form == cancellation.FormWritten || p.Form == cancellation.FormWetInk) {
			at.member("kind").fail("a product of the form Written or WetInk goes on paper: Mail or RegisteredMail")
		}
		if c.Kind.OnPaper() && !c.Address.IsZero() {
			if paper != nil && !sameAddress(*paper, c.Address) {
				at.member("address").fail("all channels on paper must have the same address")
			}
			paper = &c.Address
		}
		list = append(list, c)
	}
	return list
}

func sameAddress(a, b cancellation.PostalAddress) bool {
	return slices.Equal(a.Recipient, b.Recipient) && a.Street == b.Street && a.PostalCode == b.PostalCode && a.City == b.City && a.CountryCode == b.CountryCode
}

// channel is one way, with the address that goes with its kind. Its kind is
// empty where it is none.
func (m members) channel(locales []cancellation.Locale) cancellation.Channel {
	c := cancellation.Channel{Kind: cancellation.ChannelKind(m.text("kind", maxName))}
	switch c.Kind {
	case cancellation.ChannelEmail:
		c.Email = m.checked("email", emailProblem)
	case cancellation.ChannelFax:
		c.Fax = m.checked("fax", faxProblem)
	case cancellation.ChannelMail, cancellation.ChannelRegisteredMail:
		c.Address = m.address("address")
		m.member("address").member("countryCode").reached(c.Address.CountryCode, locales)
	default:
		if c.Kind != "" {
			m.member("kind").fail("must be Email, Mail, RegisteredMail or Fax")
		}
		for _, name := range []string{"email", "fax", "address"} { // which one is right cannot be told
			m.take(name)
		}
		return cancellation.Channel{}
	}
	for _, name := range []string{"email", "fax", "address"} {
		if _, there := m.take(name); there {
			m.member(name).fail("does not go with a channel of this kind")
		}
	}
	return c
}

// checked requires a text in which a check finds no problem.
func (m members) checked(name string, problemOf func(string) string) string {
	v, there := m.require(name)
	if !there || !m.member(name).is(v, kindString) {
		return ""
	}
	if problem := problemOf(v.text); problem != "" {
		m.member(name).fail(problem)
		return ""
	}
	return v.text
}

func faxProblem(s string) string {
	if !faxPattern.MatchString(s) {
		return "must be a number in the form of E.164, such as +4930123456"
	}
	return ""
}

// address requires a postal address. Each of its lines fits a window, that of
// postal code and city as a whole.
func (m members) address(name string) cancellation.PostalAddress {
	v, there := m.require(name)
	if !there {
		return cancellation.PostalAddress{}
	}
	at := m.member(name)
	a, ok := at.object(v)
	if !ok {
		return cancellation.PostalAddress{}
	}
	var address cancellation.PostalAddress
	for i, line := range a.list("recipient", 3) {
		address.Recipient = append(address.Recipient, at.member("recipient").element(i).printed(line, maxPostalLine))
	}
	if v, there := a.take("street"); there {
		address.Street = at.member("street").printed(v, maxPostalLine)
	}
	address.PostalCode = a.checked("postalCode", postalCodeProblem)
	address.City = a.printed("city", maxPostalLine-maxPostalCode-1)
	address.CountryCode = a.checked("countryCode", countryProblem)
	a.done()
	return address
}

func postalCodeProblem(s string) string {
	if len(s) > maxPostalCode || !postalCodePattern.MatchString(s) {
		return "must be 1 to 12 letters and digits, in groups parted by a space or hyphen"
	}
	return ""
}

func countryProblem(s string) string {
	if !isCountry(s) {
		return "must be a country code of ISO 3166-1, such as DE"
	}
	return ""
}
