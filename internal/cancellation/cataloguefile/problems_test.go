package cataloguefile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/cataloguefile"
	"aviso/localstack/tests/jsonschematest"
)

// Each case replaces one text of the valid file and lists all problems that follow.
func TestParseReportsEveryProblem(t *testing.T) {
	t.Parallel()
	const (
		slug      = "must be 1 to 100 characters: lower-case letters and digits, in words separated by single hyphens"
		name      = "must have 1 to 200 characters"
		unseen    = "must not contain control, zero-width or bidirectional characters"
		spaces    = "must not begin or end with a space"
		locale    = "must be a locale made of an ISO 639-1 language and an ISO 3166-1 country, such as de-DE"
		required  = "the member is required"
		unknown   = "unknown member"
		email     = "must be an e-mail address in ASCII, such as cancel@example.com"
		fax       = "must be a phone number in E.164 format, such as +4930123456"
		url       = "must be an absolute http or https URL without user information"
		postal    = "must be 1 to 12 characters: letters and digits, in groups separated by a space or hyphen"
		country   = "must be a country code of ISO 3166-1, such as DE"
		noLabel   = "this standard field has no label in the language of one of the product's locales; write the field as an object with labels"
		label     = "a label is required for every locale of the product"
		paper     = "must be Mail or RegisteredMail if the form is Written or WetInk"
		key       = "must be 1 to 40 upper-case letters, digits and underscores, beginning with a letter"
		foreign   = "is not allowed for a channel of this kind"
		unwritten = "letters cannot be written in this locale"
		duration  = "must be an ISO 8601 duration with one unit, such as P24M, P1M, P2W or P14D"
		heart     = "must not contain the character U+2764, which letters cannot print"
	)
	org := func(pairs ...string) []string { return prefixed("/organization", pairs) }
	cat := func(pairs ...string) []string { return prefixed("/category", pairs) }
	is := func(pairs ...string) []string { return prefixed("/organization/products/0", pairs) }
	none := []string{}

	cases := []struct {
		name, old, new string
		want           []string // path, problem, path, problem, …
	}{
		{"a line that is not JSON", organizationLine, `{"organization":`, []string{"", "the line is not valid JSON"}},
		{"a line with a stray comma", organizationLine, `{"organization":{},}`, []string{"", "the line is not valid JSON"}},
		{"a line with two objects", organizationLine, organizationLine + " {}", []string{"", "the line contains more than one object"}},
		{"a line that is an array", organizationLine, `[]`, []string{"", "must be an object"}},
		{"a line that is null", organizationLine, `null`, []string{"", "must be an object"}},
		{"a line that is nested deeply", organizationLine, strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
			[]string{"", "must be an object"}},
		{"a line that is not UTF-8", "Vidorama GmbH", "Vidorama \xff", []string{"", "the line is not valid UTF-8"}},
		{"e-mail to an organization that is not confirmed", `"slug":"vidorama"`, `"slug":"vidorama","confirmed":false`,
			is("/channels", "must not contain Email before the organization has confirmed it")},
		{"a line with neither category nor organization", organizationLine, `{}`,
			[]string{"", "the object must have exactly one member, category or organization"}},
		{"a line with both category and organization", `{"organization":`, `{"category":{},"organization":`,
			[]string{"", "the object must have exactly one member, category or organization"}},
		{"a member next to the organization", `]}}`, `]},"more":1}`, []string{"/more", unknown}},
		{"an organization that is not an object", organizationLine, `{"organization":1}`, []string{"/organization", "must be an object"}},

		{"a category without a slug", `{"slug":"streaming",`, `{`,
			append(cat("/slug", required), org("/category", "the file has no category with this slug")...)},
		{"a category with an invalid slug", `{"slug":"streaming",`, `{"slug":"Streaming",`,
			append(cat("/slug", slug), org("/category", "the file has no category with this slug")...)},
		{"a duplicate category", categoryLine, categoryLine + "\n" + categoryLine,
			[]string{"/category/slug", "line 1 already uses this slug"}},
		{"a category without names", `,"names":{"en":"Streaming","de":"Streamingdienste"}`, ``, cat("/names", required)},
		{"a category without an English name", `"en":"Streaming",`, ``, cat("/names/en", required)},
		{"a category with a name in an unknown language", `"de":"Streamingdienste"`, `"xx":"Streaming"`,
			cat("/names/xx", "must be a lower-case language code of ISO 639-1, such as de")},
		{"a category with a name that is a number", `"Streamingdienste"`, `1`, cat("/names/de", "must be a string")},
		{"a category with names in an array", `{"en":"Streaming","de":"Streamingdienste"}`, `["Streaming"]`,
			cat("/names", "must be an object")},
		{"a category with an unknown member", `{"slug":"streaming",`, `{"slug":"streaming","id":"x",`, cat("/id", unknown)},
		{
			"a category that is not an object", categoryLine, `{"category":"streaming"}`,
			append([]string{"/category", "must be an object"}, org("/category", "the file has no category with this slug")...),
		},

		{"an organization without a slug", `"slug":"vidorama",`, ``, org("/slug", required)},
		{"an organization with a slug in capitals", `"slug":"vidorama"`, `"slug":"Vidorama"`, org("/slug", slug)},
		{"an organization with two hyphens in a row in its slug", `"slug":"vidorama"`, `"slug":"vido--rama"`, org("/slug", slug)},
		{"an organization with a slug that ends in a hyphen", `"slug":"vidorama"`, `"slug":"vidorama-"`, org("/slug", slug)},
		{"an organization with a slug that is too long", `"slug":"vidorama"`,
			`"slug":"` + strings.Repeat("x", 101) + `"`, org("/slug", slug)},
		{"an organization with a slug that is a number", `"slug":"vidorama"`, `"slug":7`, org("/slug", "must be a string")},
		{"a duplicate organization", organizationLine, organizationLine + "\n" + organizationLine,
			[]string{"/organization/slug", "line 2 already uses this slug"}},
		{"an organization in an unknown category", `"category":"streaming"`, `"category":"press"`,
			org("/category", "the file has no category with this slug")},
		{"an organization without a category", `"category":"streaming",`, ``, org("/category", required)},
		{"an organization without a name", `"name":"Vidorama",`, ``, org("/name", required)},
		{"an organization with a name that is null", `"name":"Vidorama",`, `"name":null,`, org("/name", "must be a string")},
		{"an organization with a name that is too long", `"name":"Vidorama",`,
			`"name":"` + strings.Repeat("ö", 201) + `",`, org("/name", name)},
		{"an organization with a name that begins with a space", `"name":"Vidorama",`, `"name":" Vidorama",`, org("/name", spaces)},
		{"an organization with a name of two lines", `"name":"Vidorama",`, `"name":"Vido\nrama",`, org("/name", unseen)},
		{"an organization with a zero-width space in its name", `"name":"Vidorama",`, `"name":"Vido\u200brama",`, org("/name", unseen)},
		{"an organization with a bidirectional mark in its name", `"name":"Vidorama",`, `"name":"Vido\u202erama",`, org("/name", unseen)},
		{"an organization with a paragraph separator in its name", `"name":"Vidorama",`, `"name":"Vido\u2029rama",`,
			org("/name", unseen)},
		{"an organization with extra consent as a string", `"extraConsent":false`, `"extraConsent":"no"`,
			org("/extraConsent", "must be a boolean")},
		{"an organization with inactive as a number", `"en-GB"],"inactive":false,"products"`,
			`"en-GB"],"inactive":0,"products"`, org("/inactive", "must be a boolean")},
		{"a URL without a scheme", `"https://vidorama.example"`, `"vidorama.example"`, org("/url", url)},
		{"a URL with another scheme", `"https://vidorama.example"`, `"javascript:alert(1)"`, org("/url", url)},
		{"a URL without a host", `"https://vidorama.example"`, `"https:///path"`, org("/url", url)},
		{"a URL with user information", `"https://vidorama.example"`, `"https://a:b@vidorama.example"`, org("/url", url)},
		{"a URL with a space", `"https://vidorama.example"`, `"https://vidorama.example/a b"`, org("/url", url)},
		{"a URL that is too long", `"https://vidorama.example"`,
			`"https://vidorama.example/` + strings.Repeat("x", 500) + `"`,
			org("/url", "must have at most 500 characters")},
		{"an organization without locales", `"url":"https://vidorama.example","locales":["de-DE","en-GB"],`, ``, org("/locales", required)},
		{"an organization with an empty list of locales",
			`"url":"https://vidorama.example","locales":["de-DE","en-GB"]`, `"locales":[]`,
			org("/locales", "must have 1 to 30 elements")},
		{"an organization with an invalid locale", `"url":"https://vidorama.example","locales":["de-DE","en-GB"]`,
			`"locales":["de-DE","en-GB","de_AT"]`, org("/locales/2", locale)},
		{"an organization with a locale of an unknown language",
			`"url":"https://vidorama.example","locales":["de-DE","en-GB"]`, `"locales":["de-DE","en-GB","xx-DE"]`,
			org("/locales/2", locale)},
		{"an organization with a locale of an unknown country",
			`"url":"https://vidorama.example","locales":["de-DE","en-GB"]`, `"locales":["de-DE","en-GB","de-XX"]`,
			org("/locales/2", locale)},
		{"an organization with a duplicate locale", `"url":"https://vidorama.example","locales":["de-DE","en-GB"]`,
			`"locales":["de-DE","en-GB","de-DE"]`, org("/locales/2", "is a duplicate")},
		{"an organization with a locale that is a number",
			`"url":"https://vidorama.example","locales":["de-DE","en-GB"]`, `"locales":["de-DE","en-GB",1]`,
			org("/locales/2", "must be a string")},
		{"an organization with an unknown member", `"category":"streaming"`, `"category":"streaming","Name":"x"`, org("/Name", unknown)},
		{"an organization with a duplicate member", `"category":"streaming"`,
			`"category":"streaming","category":"streaming"`, org("/category", "duplicate member")},
		{"an unknown member whose name cannot be printed", `"category":"streaming"`,
			`"category":"streaming","a\u0007b":"x"`, org("", unknown)},
		{"an unknown member whose name is long", `"category":"streaming"`,
			`"category":"streaming","` + strings.Repeat("x", 41) + `":"x"`, org("", unknown)},
		{"an unknown member whose name needs escaping in a path", `"category":"streaming"`,
			`"category":"streaming","a/b~c":"x"`, org("/a~1b~0c", unknown)},
		{"an organization without products", `"inactive":false,"products":[` + productText + `]`, `"inactive":false`,
			org("/products", required)},
		{"an organization with an empty list of products", `[` + productText + `]`, `[]`, org("/products", "must have 1 to 50 elements")},
		{"an organization with products that are not an array", `[` + productText + `]`, productText, org("/products", "must be an array")},
		{"an organization with too many products", productText, manyProducts(51), org("/products", "must have 1 to 50 elements")},

		{"a product that is not an object", productText, `1`, is("", "must be an object")},
		{"a duplicate product", productText, productText + "," + productText,
			org("/products/1/slug", "another product of this organization already uses this slug")},
		{"a product without a slug", `"slug":"abo",`, ``, is("/slug", required)},
		{"a product without a name", `"name":"Vidorama Abo",`, ``, is("/name", required)},
		{"a product with a locale that the organization lacks", `"name":"Vidorama Abo","locales":["de-DE","en-GB"]`,
			`"name":"Vidorama Abo","locales":["de-DE","en-GB","de-AT"]`,
			is("/locales", "must contain only locales of the organization", "/fields/5/labels/de-AT", label)},
		{"a product without a form", `"form":"Text",`, ``, is("/form", required)},
		{"a product with an unknown form", `"form":"Text"`, `"form":"text"`, is("/form", "must be Text, Written or WetInk")},
		{"a product with an unknown member", `"form":"Text"`, `"form":"Text","price":1`, is("/price", unknown)},

		{"a product without channels", `"channels":[` + channelsText + `],`, ``, is("/channels", required)},
		{"a product with an empty list of channels", channelsText, ``, is("/channels", "must have 1 to 4 elements")},
		{"a channel that is not an object", mailText, `"Mail"`, is("/channels/1", "must be an object")},
		{"a channel without a kind", `{"kind":"Fax",`, `{`, is("/channels/2/kind", required)},
		{"a channel of an unknown kind", `"kind":"Fax"`, `"kind":"Pigeon"`,
			is("/channels/2/kind", "must be Email, Mail, RegisteredMail or Fax")},
		{"a duplicate channel", mailText, mailText + "," + mailText,
			is("/channels/2/kind", "another channel of this product has the same kind")},
		{"a channel with an unknown member", `"fax":"+4922155500123"`, `"fax":"+4922155500123","note":"x"`,
			is("/channels/2/note", unknown)},
		{"a fax channel with an e-mail address", `"fax":"+4922155500123"`,
			`"fax":"+4922155500123","email":"a@b.example"`, is("/channels/2/email", foreign)},
		{"a product of form Written with e-mail and fax channels", `"form":"Text"`, `"form":"Written"`,
			is("/channels/0/kind", paper, "/channels/2/kind", paper)},
		{"a product of form WetInk with e-mail and fax channels", `"form":"Text"`, `"form":"WetInk"`,
			is("/channels/0/kind", paper, "/channels/2/kind", paper)},
		{"two paper channels with different addresses", mailText,
			mailText + "," + strings.NewReplacer("Mail", "RegisteredMail", "50667", "50668").Replace(mailText),
			is("/channels/2/address", "must be the same for Mail and RegisteredMail")},

		{"an e-mail channel without an address", `"kind":"Email","email":"kuendigung@vidorama.example"`,
			`"kind":"Email"`, is("/channels/0/email", required)},
		{"an e-mail address without a domain", `kuendigung@vidorama.example`, `kuendigung`, is("/channels/0/email", email)},
		{"an e-mail address at a single-label host", `kuendigung@vidorama.example`, `kuendigung@localhost`, is("/channels/0/email", email)},
		{"an e-mail address with a name", `"kuendigung@vidorama.example"`, `"Service <kuendigung@vidorama.example>"`,
			is("/channels/0/email", email)},
		{"an e-mail address with an injected header", `kuendigung@vidorama.example`,
			`kuendigung@vidorama.example\r\nBcc: a@b.example`, is("/channels/0/email", email)},
		{"two e-mail addresses", `kuendigung@vidorama.example`, `a@b.example,c@d.example`, is("/channels/0/email", email)},
		{"an e-mail address in quotes", `kuendigung@vidorama.example`, `\"a b\"@vidorama.example`, is("/channels/0/email", email)},
		{"an e-mail address that is not ASCII", `kuendigung@vidorama.example`, `kündigung@vidorama.example`,
			is("/channels/0/email", email)},
		{"an e-mail address that is too long", `kuendigung@vidorama.example`,
			`a@` + strings.Repeat("x.", 130) + `example`, is("/channels/0/email", email)},
		{"a fax number without a country code", `+4922155500123`, `022155500123`, is("/channels/2/fax", fax)},
		{"a fax number with spaces", `+4922155500123`, `+49 221 55500123`, is("/channels/2/fax", fax)},
		{"a fax number that is too long", `+4922155500123`, `+4922155500123456`, is("/channels/2/fax", fax)},
		{"a fax number that is a number", `"+4922155500123"`, `4922155500123`, is("/channels/2/fax", "must be a string")},

		{"a mail channel without an address", mailText, `{"kind":"Mail"}`, is("/channels/1/address", required)},
		{"an address that is a string", mailText, `{"kind":"Mail","address":"Köln"}`, is("/channels/1/address", "must be an object")},
		{"an address without a recipient", `"recipient":["Vidorama GmbH","Kundenservice"],`, ``,
			is("/channels/1/address/recipient", required)},
		{"an address with an empty list of recipients", `["Vidorama GmbH","Kundenservice"]`, `[]`,
			is("/channels/1/address/recipient", "must have 1 to 3 elements")},
		{"an address with four recipients", `["Vidorama GmbH","Kundenservice"]`, `["a","b","c","d"]`,
			is("/channels/1/address/recipient", "must have 1 to 3 elements")},
		{"an address with a recipient too long for a window", `"Kundenservice"`, `"` + strings.Repeat("x", 51) + `"`,
			is("/channels/1/address/recipient/1", "must have 1 to 50 characters")},
		{"an address with an empty street", `"Lichtspielweg 4"`, `""`, is("/channels/1/address/street", "must have 1 to 50 characters")},
		{"an address without a postal code", `"postalCode":"50667",`, ``, is("/channels/1/address/postalCode", required)},
		{"an address with an invalid postal code", `"50667"`, `"D/50667"`, is("/channels/1/address/postalCode", postal)},
		{"an address without a city", `"city":"Köln",`, ``, is("/channels/1/address/city", required)},
		{"an address with a city too long for a window", `"Köln"`, `"` + strings.Repeat("x", 38) + `"`,
			is("/channels/1/address/city", "must have 1 to 37 characters")},
		{"an address without a country", `,"countryCode":"DE"`, ``, is("/channels/1/address/countryCode", required)},
		{"an address in an unknown country", `"countryCode":"DE"`, `"countryCode":"UK"`,
			is("/channels/1/address/countryCode", country)},
		{"an address with a country code in lower case", `"countryCode":"DE"`, `"countryCode":"de"`,
			is("/channels/1/address/countryCode", country)},
		{"an address with an unknown member", `"countryCode":"DE"`, `"countryCode":"DE","state":"NRW"`,
			is("/channels/1/address/state", unknown)},

		{"a product without fields", `,"fields":[` + fieldsText + `]`, ``, is("/fields", required)},
		{"a product with an empty list of fields", fieldsText, ``, is("/fields", "must have 1 to 30 elements")},
		{"a template without NAME", `"NAME",`, ``, is("/fields", "the template must have the field NAME")},
		{
			"a template for paper without the sender's address",
			`"ADDRESS","ZIP","CITY",`,
			``,
			is(
				"/fields", "the template must have the field ADDRESS", "/fields",
				"the template must have the field ZIP", "/fields", "the template must have the field CITY",
			),
		},
		{"a duplicate field", `"EMAIL",`, `"EMAIL","EMAIL",`, is("/fields/5", "another field of the template already uses this key")},
		{"an unknown standard field", `"EMAIL",`, `"SHOE_SIZE",`,
			is("/fields/4", "is not a standard field; write it as an object with labels")},
		{"a field that is a number", ownField, `1`, is("/fields/5", "must be an object")},
		{"a field without a key", `"key":"SCREEN_NAME",`, ``, is("/fields/5/key", required)},
		{"a field with a key in lower case", `"SCREEN_NAME"`, `"screenName"`, is("/fields/5/key", key)},
		{"a field with a key that is too long", `"SCREEN_NAME"`, `"` + strings.Repeat("X", 41) + `"`, is("/fields/5/key", key)},
		{"an own field with a standard key that letters use", `"SCREEN_NAME"`, `"PHONE_NUMBER"`,
			is("/fields/5/key", "is a standard field; write the key as a string instead of an object")},
		{"a field without labels", `,"labels":{"de-DE":"Anzeigename","en-GB":"Screen name"}`, ``, is("/fields/5/labels", required)},
		{"a field with labels that are a string", `{"de-DE":"Anzeigename","en-GB":"Screen name"}`, `"x"`,
			is("/fields/5/labels", "must be an object")},
		{"a field without a label for one locale", `"de-DE":"Anzeigename",`, ``, is("/fields/5/labels/de-DE", label)},
		{"a field with a label for an invalid locale", `"de-DE":"Anzeigename",`,
			`"de-DE":"Anzeigename","de":"Anzeigename",`, is("/fields/5/labels/de", locale)},
		{"a field with a label that is too long", `"Screen name"`, `"` + strings.Repeat("x", 101) + `"`,
			is("/fields/5/labels/en-GB", "must have 1 to 100 characters")},
		{"a field with an unknown member", `"key":"SCREEN_NAME"`, `"key":"SCREEN_NAME","hint":"x"`, is("/fields/5/hint", unknown)},
		{"a field with a format that is not anchored", `"^[a-z]{3,20}$"`, `"[a-z]{3,20}"`,
			is("/fields/5/format", "must begin with ^ and end with $")},
		{"a field with a format that is not a string", `"^[a-z]{3,20}$"`, `{}`, is("/fields/5/format", "must be a string")},
		{
			"a field with a format that accepts texts of any length", `"^[a-z]{3,20}$"`, `"^(a+)+$"`,
			is("/fields/5/format", "must not accept more than 300 characters: give repetitions a bound, such as {1,20}"),
		},
		{
			"a locale without standard labels",
			`"en-GB"`,
			`"hu-HU"`,
			append(
				org("/locales/1", unwritten),
				is(
					"/locales/1", unwritten, "/fields/0", noLabel, "/fields/1", noLabel, "/fields/2", noLabel,
					"/fields/3", noLabel, "/fields/4", noLabel,
				)...),
		},
		{"an organization whose name letters cannot print", `"name":"Vidorama",`, `"name":"Vidorama ❤",`, org("/name", heart)},
		{"an organization whose name is in another script", `"name":"Vidorama",`, `"name":"東京ガス",`,
			org("/name", "must not contain the character U+6771, which letters cannot print")},
		{"a product whose name letters cannot print", `"Vidorama Abo"`, `"Vidorama ❤ Abo"`, is("/name", heart)},
		{"a recipient that letters cannot print", `"Kundenservice"`, `"Kundenservice ❤"`, is("/channels/1/address/recipient/1", heart)},
		{"a street that letters cannot print", `"Lichtspielweg 4"`, `"Lichtspielweg ❤"`, is("/channels/1/address/street", heart)},
		{"a city that letters cannot print", `"Köln"`, `"K❤ln"`, is("/channels/1/address/city", heart)},
		{"a label that letters cannot print", `"Screen name"`, `"❤"`, is("/fields/5/labels/en-GB", heart)},
		{"a country without a name in the letter's language", `"countryCode":"DE"`, `"countryCode":"JP"`,
			is("/channels/1/address/countryCode", "letters in de-DE cannot be addressed to this country")},
		{"terms with every member", beforeChannels, withTerms(validTerms), none},
		{"terms that are an object", beforeChannels, `"terms":{},"channels"`, is("/terms", "must be an array")},
		{"terms without anything", beforeChannels, withTerms(`{}`),
			is("/terms/0/noticePeriod", required, "/terms/0/renewal", required, "/terms/0/source", required)},
		{
			"terms of an unknown sector", beforeChannels, withTerms(strings.Replace(validTerms, "Television", "Radio", 1)),
			is("/terms/0/sector", "must be Telecom, Television, Energy, EnergyBasicSupply, Heat, Water, Insurance, "+
				"MotorInsurance, HomeInsurance, HealthInsurance, StatutoryHealth, Life, Affinity, Rental, Press, Association, "+
				"Party, Course, Banking, Care, Goods or Services"),
		},
		{
			"terms from a day that does not exist", beforeChannels, withTerms(strings.Replace(validTerms, "2024-02-29", "2023-02-29", 1)),
			is("/terms/0/validFrom", "must be a day of the form YYYY-MM-DD"),
		},
		{
			"terms with a notice period in words", beforeChannels, withTerms(strings.Replace(validTerms, "P2W", "two weeks", 1)),
			is("/terms/0/noticePeriod", duration),
		},
		{
			"terms with a duration of two units", beforeChannels, withTerms(strings.Replace(validTerms, "P24M", "P1Y6M", 1)),
			is("/terms/0/minimumTerm", duration),
		},
		{"terms with an eternal first term", beforeChannels, withTerms(strings.Replace(validTerms, "P24M", "P99Y", 1)),
			is("/terms/0/minimumTerm", duration)},
		{
			"terms that renew for nobody knows how long", beforeChannels,
			withTerms(strings.Replace(validTerms, `"renewalTerm":"P12M",`, ``, 1)), is("/terms/0/renewalTerm", required),
		},
		{"terms that end without having a length", beforeChannels,
			withTerms(`{"sector":"Services","noticePeriod":"P0D","renewal":"None","source":"Section 1"}`),
			is("/terms/0/minimumTerm", required)},
		{"terms for the same contracts", beforeChannels, withTerms(validTerms + "," + validTerms),
			is("/terms", "must not be valid for the same contract twice")},
		{"no problem in a valid file", `"EMAIL",`, `"EMAIL","CUSTOMER_NUMBER",`, none},
	}
	valid := categoryLine + "\n" + organizationLine
	var lines []string
	for _, tt := range cases {
		lines = append(lines, strings.Split(strings.ReplaceAll(valid, tt.old, tt.new), "\n")...)
		t.Run(tt.name, func(t *testing.T) {
			require.Contains(t, valid, tt.old)
			text := strings.ReplaceAll(valid, tt.old, tt.new)
			got := []string{}
			for _, p := range problems(t, text) {
				got = append(got, p.Path, p.Text)
				assert.NotZero(t, p.Line)
			}
			assert.Equal(t, tt.want, got)
		})
	}

	t.Run("agrees with a full JSON Schema library", func(t *testing.T) {
		jsonschematest.Agree(t, cataloguefile.Schema(), cataloguefile.Formats(), lines)
	})
}

const (
	beforeChannels = `"inactive":false,"channels"`
	validTerms     = `{"validFrom":"2024-02-29","validUntil":"2025-12-31","sector":"Television","minimumTerm":"P24M",` +
		`"noticePeriod":"P2W","renewal":"Fixed","renewalTerm":"P12M","endOf":"CalendarYear","source":"Section 7"}`
)

func withTerms(terms string) string { return `"terms":[` + terms + `],"channels"` }

func prefixed(path string, pairs []string) []string {
	out := make([]string, len(pairs))
	for i := range pairs {
		out[i] = pairs[i]
		if i%2 == 0 {
			out[i] = path + pairs[i]
		}
	}
	return out
}

func manyProducts(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.Replace(productText, `"slug":"abo"`, fmt.Sprintf(`"slug":"abo-%d"`, i), 1)
	}
	return strings.Join(list, ",")
}

// The largest organization fits the maximum line length.
func TestAcceptsTheLargestOrganization(t *testing.T) {
	t.Parallel()
	text := categoryLine + "\n" + strings.Replace(organizationLine, productText, manyProducts(50), 1)
	edition, err := parse(text)
	require.NoError(t, err)
	assert.Len(t, edition.Entries[0].Products, 50)
}
