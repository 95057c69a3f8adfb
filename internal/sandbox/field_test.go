package sandbox

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

// standard lists the fields whose labels and formats the service knows.
var standard = []string{
	"NAME", "ADDRESS", "ZIP", "CITY", "EMAIL", "PHONE_NUMBER", "DATA_DELETE_REQUEST",
	"CUSTOMER_NUMBER", "CONTRACT_NUMBER", "MEMBERSHIP_NUMBER", "POLICY_NUMBER", "SUBSCRIPTION_NUMBER",
	"BIRTH_DATE", "METER_NUMBER", "LICENSE_PLATE", "USER_NAME",
}

var (
	fieldKey = regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`)
	anchored = regexp.MustCompile(`^\^.*\$$`)
	// Syntax that differs between RE2, ECMAScript and Python: escapes of letters and
	// digits, special groups, and named classes.
	notShared = regexp.MustCompile(`\\[A-Za-z0-9]|\(\?[^:]|\[\[:|\[\^?\]`)
)

func TestEveryFieldIsComplete(t *testing.T) {
	everyProduct(t, func(t *testing.T, _ organization, p product) {
		keys := map[string]bool{}
		for _, f := range p.Fields {
			assert.False(t, keys[f.Key], "%s twice", f.Key)
			keys[f.Key] = true
			if f.Custom == nil {
				assert.Contains(t, standard, f.Key)
				continue
			}
			assert.Regexp(t, fieldKey, f.Key)
			assert.Len(t, f.Custom.Labels, len(p.Locales), f.Key)
			for _, locale := range p.Locales {
				assert.NotEmpty(t, f.Custom.Labels[locale], "%s in %s", f.Key, locale)
			}
			assertFormat(t, f)
		}
		assert.True(t, keys["NAME"], "the sender's name")
		assert.Equal(t, keys["ADDRESS"], keys["ZIP"], "the whole address")
		assert.Equal(t, keys["ADDRESS"], keys["CITY"], "the whole address")
		assert.True(t, keys["ADDRESS"] || keys["EMAIL"], "an address for the reply")
	})
}

func assertFormat(t *testing.T, f field) {
	t.Helper()
	if assert.NotNil(t, f.Custom.Format, f.Key) && *f.Custom.Format != "" {
		assert.Regexp(t, anchored, *f.Custom.Format, f.Key)
		assert.NotRegexp(t, notShared, *f.Custom.Format, f.Key)
		_, err := regexp.Compile(*f.Custom.Format)
		assert.NoError(t, err, f.Key)
	}
}

func TestEveryStandardFieldIsUsed(t *testing.T) {
	used := map[string]int{}
	_, organizations := read(t)
	products := 0
	for _, o := range organizations {
		for _, p := range o.Products {
			products++
			for _, f := range p.Fields {
				if f.Custom == nil {
					used[f.Key]++
				}
			}
		}
	}
	for _, key := range standard {
		assert.Positive(t, used[key], key)
	}
	assert.Greater(t, used["DATA_DELETE_REQUEST"], products/3)
}

func TestFormatsAcceptOnlyValidValues(t *testing.T) {
	samples := map[string]struct{ right, wrong string }{
		"ACCOUNT_IBAN":                  {"DE89370400440532013000", "DE89 3704 0044 0532 0130 00"},
		"ALARM_SYSTEM_NUMBER":           {"AX204817", "AX-204817"},
		"ANLAGE_ID":                     {"104120000012345678", "1041-2000"},
		"CUPS":                          {"ES0021000000000001AB1P", "ES0021"},
		"DELIVERY_POINT_NUMBER":         {"19422417238650", "1942241723865"},
		"DEVICE_SERIAL_NUMBER":          {"WM-20240117-88", "wm 2024"},
		"DOMAIN_NAME":                   {"gartenlaube.example", "gartenlaube"},
		"DONOR_NUMBER":                  {"4711", "47"},
		"EAN_CODE":                      {"871687120012345678", "591687120012345678"},
		"ENERGY_POINT_CODE":             {"590322400012345678", "590-322"},
		"FISHING_LICENCE_NUMBER":        {"HB-2024/118", "?"},
		"IDENTITY_NUMBER":               {"X1234567L", "1234567L"},
		"LICENSE_PLATE":                 {"HH-AB 123E", "HH AB 123"},
		"MEMBER_CARD_NUMBER":            {"4000123412", "4000-1234"},
		"METERING_POINT":                {"AT0031000000000000000000990012345", "AT003100"},
		"MPAN":                          {"1012345678901", "10 1234 5678 901"},
		"MPRN":                          {"10012345678", "100123"},
		"PERSONAL_IDENTITY_NUMBER":      {"19900101-2384", "900101-2384"},
		"PESEL":                         {"44051401359", "4405140135"},
		"PLAYER_ID":                     {"night_owl-9", "no"},
		"POD":                           {"IT001E12345678", "IT001F12345678"},
		"SEASON_TICKET_NUMBER":          {"JT20240081", "JT 2024"},
		"SIM_CARD_NUMBER":               {"8949020000012345678", "4949020000012345678"},
		"STUDENT_NUMBER":                {"S204817", "S-2048"},
		"TAX_CODE":                      {"RSSMRA80A01H501U", "RSSMRA80A01H501"},
		"UNIT_NUMBER":                   {"B2.117", "upstairs, on the left"},
		"VEHICLE_IDENTIFICATION_NUMBER": {"WVWZZZ1JZXW000001", "WVWZZZ1JZXW00000O"},
	}
	_, organizations := read(t)
	seen := map[string]bool{}
	for _, o := range organizations {
		for _, p := range o.Products {
			for _, f := range p.Fields {
				if f.Custom == nil || *f.Custom.Format == "" || seen[f.Key] {
					continue
				}
				seen[f.Key] = true
				t.Run(f.Key, func(t *testing.T) {
					format := regexp.MustCompile(*f.Custom.Format)
					assert.Regexp(t, format, samples[f.Key].right)
					assert.NotRegexp(t, format, samples[f.Key].wrong)
					assert.NotRegexp(t, format, "")
				})
			}
		}
	}
	assert.Len(t, seen, len(samples), "a sample for each format")
}
