package blackbox_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parameters are those of a body as keys and values.
func parameters(body map[string]any) map[string]string {
	out := map[string]string{}
	for _, p := range body["parameters"].([]any) {
		p := p.(map[string]any)
		out[p["fieldKey"].(string)] = p["fieldValue"].(string)
	}
	return out
}

// asParameters is the other way round.
func asParameters(values map[string]string) []any {
	out := []any{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		out = append(out, map[string]any{"fieldKey": key, "fieldValue": values[key]})
	}
	return out
}

// The response reports everything wrong with a request, and nothing is stored.
func TestCancelRefusals(t *testing.T) {
	p := newPartner(t, "sandbox")
	good := letterTo(p.product(t, "Nur E-Mail"))
	other, party := p.product(t, "Nur Fax"), letterTo(p.product(t, "Extra Consent Test Party"))
	for name, c := range map[string]struct {
		body      map[string]any
		status    int
		code      string
		pointer   string
		fieldCode string
	}{
		"an unknown organization":            {with(good, "organizationId", uuid.NewString()), 404, "not_found", "", ""},
		"an unknown product":                 {with(good, "productId", uuid.NewString()), 404, "not_found", "", ""},
		"a product of another organization":  {with(good, "productId", other.ProductID), 404, "not_found", "", ""},
		"an organization that is inactive":   {with(good, "organizationId", plauderbox, "productId", plauderboxProduct), 404, "not_found", "", ""},
		"a locale that is not offered":       {with(good, "locale", "fi-FI"), 422, "locale_not_supported", "/locale", "unsupported"},
		"a locale with small letters":        {with(good, "locale", "de-de"), 422, "validation_failed", "/locale", "invalid"},
		"a locale with an underscore":        {with(good, "locale", "de_DE"), 422, "validation_failed", "/locale", "invalid"},
		"a language without a country":       {with(good, "locale", "de"), 422, "validation_failed", "/locale", "invalid"},
		"an organization that is not a UUID": {with(good, "organizationId", marker), 422, "validation_failed", "/organizationId", "invalid"},
		"a UUID in braces":                   {with(good, "productId", "{"+uuid.NewString()+"}"), 422, "validation_failed", "/productId", "invalid"},
		"an end in the past":                 {with(good, "endDate", "2020-01-31"), 422, "validation_failed", "/endDate", "past"},
		"an end in a hundred years":          {with(good, "endDate", day(100)), 422, "validation_failed", "/endDate", "too_late"},
		"an end on no day":                   {with(good, "endDate", "2027-02-29"), 422, "validation_failed", "/endDate", "invalid"},
		"an end at a time":                   {with(good, "endDate", day(1)+"T00:00:00Z"), 422, "validation_failed", "/endDate", "invalid"},
		"no extra consent":                   {party, 422, "extra_consent_required", "/extraConsent", "required"},
		"an extra consent that is refused":   {with(party, "extraConsent", false), 422, "extra_consent_required", "/extraConsent", "required"},
		"an identifier that is too long":     {with(good, externalID, strings.Repeat("x", 256)), 422, "validation_failed", "/" + externalID, "invalid"},
		"no parameters":                      {with(good, "parameters", []any{}), 422, "template_mismatch", "/parameters", "missing"},
		"parameters that are null":           {with(good, "parameters", nil), 422, "validation_failed", "/parameters", "invalid"},
		"too many parameters":                {with(good, "parameters", slices.Repeat(asParameters(map[string]string{"NAME": "A"}), 101)), 422, "validation_failed", "/parameters", "invalid"},
		"a parameter without a value":        {with(good, "parameters", []any{map[string]any{"fieldKey": "NAME"}}), 422, "validation_failed", "/parameters/0/fieldValue", "required"},
		"a parameter with more members":      {with(good, "parameters", []any{map[string]any{"fieldKey": "NAME", "fieldValue": "A", "surplus": marker}}), 422, "validation_failed", "/parameters/0/surplus", "unknown_member"},
		"a signature of an unknown type":     {with(good, "signature", map[string]any{"type": "text", "data": "A"}), 422, "validation_failed", "/signature/type", "invalid"},
		"an empty signature":                 {with(good, "signature", map[string]any{"type": "TEXT", "data": ""}), 422, "validation_failed", "/signature/data", "invalid"},
		"a signature of spaces":              {with(good, "signature", map[string]any{"type": "TEXT", "data": "  "}), 422, "validation_failed", "/signature/data", "empty"},
		"a signature that is too long":       {with(good, "signature", map[string]any{"type": "TEXT", "data": strings.Repeat("x", 301)}), 422, "validation_failed", "/signature/data", "too_long"},
		"a signature in two lines":           {with(good, "signature", map[string]any{"type": "TEXT", "data": "A\r\nB"}), 422, "validation_failed", "/signature/data", "unprintable"},
		"a signature without its type":       {with(good, "signature", map[string]any{"data": "A"}), 422, "validation_failed", "/signature/type", "required"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{cancellations, cancellations + "?dryRun=true"} {
				faults := p.refused(t, http.MethodPost, path, c.body, c.status, c.code).problem(t).Errors
				if c.pointer == "" {
					assert.Empty(t, faults)
				} else if assert.NotEmpty(t, faults) {
					assert.Equal(t, []string{c.pointer, c.fieldCode}, []string{faults[0].Pointer, faults[0].Code})
				}
			}
		})
	}
	t.Run("an invalid flag", func(t *testing.T) {
		faults := p.refused(t, http.MethodPost, cancellations+"?dryRun="+marker, good, 422, "validation_failed").problem(t).Errors
		assert.Equal(t, "dryRun", faults[0].Parameter)
	})
	t.Run("an unknown status", func(t *testing.T) {
		for _, bad := range []string{"sent", "Sending", marker} {
			faults := p.refused(t, http.MethodGet, cancellations+"?status="+bad, nil, 422, "validation_failed").problem(t).Errors
			assert.Equal(t, "status", faults[0].Parameter)
		}
	})
	leavesNothing(t, p)
}

// An organization of the sandbox that is inactive; IDs are derived from slugs.
var (
	plauderbox        = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/organizations/plauderbox")).String()
	plauderboxProduct = uuid.NewSHA1(
		uuid.NameSpaceURL,
		[]byte("https://aviso.example/organizations/plauderbox/products/plauderbox-prepaid"),
	).String()
)

// A value that a letter cannot contain is rejected, whatever it is. None of it
// is echoed.
func TestCancelBadValues(t *testing.T) {
	p := newPartner(t, "sandbox")
	good := letterTo(p.product(t, "Nur E-Mail"))
	for name, c := range map[string]struct{ key, value, code string }{
		"a line break in the name":            {"NAME", "Anna\r\nBcc: " + marker + "@evil.example", "unprintable"},
		"a tab in the address":                {"ADDRESS", "Lindenallee\t12", "unprintable"},
		"a null character":                    {"CITY", "K\x00ln", "unprintable"},
		"an escape sequence":                  {"NAME", "\x1b[31m" + marker, "unprintable"},
		"a right-to-left override":            {"NAME", "Anna \u202E" + marker, "unprintable"},
		"a right-to-left mark":                {"ADDRESS", "Lindenallee \u200F12", "unprintable"},
		"an isolate":                          {"CITY", "\u2066Köln\u2069", "unprintable"},
		"a line separator":                    {"NAME", "Anna\u2028Sommer", "unprintable"},
		"a script that the font lacks":        {"NAME", "安娜", "unprintable"},
		"an emoji":                            {"NAME", "Anna 🌞", "unprintable"},
		"nothing":                             {"NAME", "", "empty"},
		"spaces":                              {"CITY", " \u00A0 ", "empty"},
		"too much":                            {"ADDRESS", strings.Repeat("x", 301), "too_long"},
		"too much, in decomposed characters":  {"NAME", strings.Repeat("e\u0301", 301), "too_long"},
		"a postcode with a sign":              {"ZIP", "50667-" + marker, "format"},
		"a postcode and a line break":         {"ZIP", "50667\n", "unprintable"},
		"no address of e-mail":                {"EMAIL", marker, "format"},
		"an address with a name":              {"EMAIL", "Anna <anna@example.org>", "format"},
		"two addresses":                       {"EMAIL", "anna@example.org,bob@example.org", "format"},
		"an address and a header":             {"EMAIL", "anna@example.org\r\nBcc: " + marker + "@evil.example", "unprintable"},
		"an address with a right-to-left one": {"EMAIL", "anna\u202E@example.org", "unprintable"},
		"an invalid boolean":                  {"DATA_DELETE_REQUEST", "True", "format"},
		"a boolean with more":                 {"DATA_DELETE_REQUEST", "true false", "format"},
	} {
		t.Run(name, func(t *testing.T) {
			values := parameters(good)
			require.Contains(t, values, c.key)
			values[c.key] = c.value
			list := asParameters(values)
			a := p.refused(t, http.MethodPost, cancellations, with(good, "parameters", list), 422, "template_mismatch")
			faults := a.problem(t).Errors
			require.Len(t, faults, 1, "%s", a.body)
			assert.Equal(t, c.code, faults[0].Code)
			at := slices.Index(slices.Sorted(maps.Keys(values)), c.key)
			assert.Equal(t, "/parameters/"+string(rune('0'+at))+"/fieldValue", faults[0].Pointer)
		})
	}
	t.Run("missing, unknown and duplicate ones are all reported", func(t *testing.T) {
		values := parameters(good)
		delete(values, "ZIP")
		delete(values, "CITY")
		list := asParameters(values)
		list = append(list, list[0], map[string]any{"fieldKey": marker, "fieldValue": marker},
			map[string]any{"fieldKey": "name", "fieldValue": "A"})
		codes := map[string]int{}
		for _, f := range refused(t, request{method: http.MethodPost, path: cancellations, header: p.headers(),
			body: toJSON(t, with(good, "parameters", list))}, 422, "template_mismatch").problem(t).Errors {
			codes[f.Code]++
		}
		assert.Equal(t, map[string]int{"missing": 2, "doubled": 1, "unknown": 2}, codes)
	})
	// The gateway replaces bytes that are not UTF-8 with U+FFFD.
	t.Run("bytes that are not text", func(t *testing.T) {
		for _, broken := range []string{"Anna \xff", `Anna \ud83d`, "Anna \xed\xa0\x80"} {
			body := strings.Replace(toJSON(t, good), "Anna Sommer", broken, 1)
			refused(t, request{method: http.MethodPost, path: cancellations, header: p.headers(), body: body}, 400, "malformed_request")
		}
	})
	leavesNothing(t, p)
}

// leavesNothing checks that the user has no cancellations.
func leavesNothing(t *testing.T, p partner) {
	t.Helper()
	assert.Empty(t, p.listCancellations(t, "limit=200"), "a refusal has left something")
}
