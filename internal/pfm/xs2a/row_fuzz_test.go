package xs2a

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// FuzzDecodePage checks that no response crashes the process, and that whatever is
// read from one is safe to store.
func FuzzDecodePage(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{"transactions":{}}`, rowsBody("?page=2", "1", "2"), rowsBody("//evil", ""),
		`{"transactions":{"pending":[{"transactionAmount":{"currency":"EUR","amount":-0.10},"valueDate":"2026-02-28",
			"creditorAccount":{"iban":"de1"},"remittanceInformationUnstructuredArray":["a","b"],
			"remittanceInformationStructured":"RF18","entryDetails":[{"purposeCode":"SALA"}],"merchantCategoryCode":"5411"}]}}`,
		`{"transactions":{"booked":[{"transactionAmount":{"currency":"EUR","amount":"9999999999999999999"},"bookingDate":"0000-01-01"}]}}`,
		"{\"transactions\":{\"booked\":[{\"transactionId\":\"\xff\\ud800\\u202e\"," +
			"\"transactionAmount\":{\"currency\":\"EUR\",\"amount\":\"1\"}}]}}",
		`{"transactions":{"booked":[{"transactionAmount":{"currency":"EUR","amount":"1"},"bookingDate":"9999-12-31"}],` +
			`"_links":{"next":{}}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		rows, next, err := decodePage(body)
		if err != nil {
			require.Nil(t, rows)
			require.Empty(t, next)
			return
		}
		for _, r := range rows {
			again, err := money.Parse(r.Amount.String())
			require.NoError(t, err)
			assert.True(t, again.Equal(r.Amount))
			if r.Unreadable {
				assert.Equal(t, pfm.BankTransaction{Unreadable: true}, r)
			}
			assert.Regexp(t, `^([A-Z]{3})?$`, r.Currency)
			assert.Regexp(t, `^([A-Z]{3})?$`, r.BilledCurrency)
			assert.Regexp(t, `^([0-9]{4})?$`, r.MerchantCategoryCode)
			for _, d := range []pfm.Date{r.BookingDate, r.ValueDate, r.TransactionDate} {
				if d != "" {
					_, err := pfm.ParseDate(string(d))
					assert.NoError(t, err)
				}
			}
			for _, s := range []string{
				r.ID, r.EntryReference, r.EndToEndID, r.MandateID, r.CreditorID, r.CreditorName, r.CreditorAccount, r.DebtorName,
				r.DebtorAccount, r.Remittance, r.AdditionalInformation, r.PurposeCode, r.BankTransactionCode,
				r.ProprietaryBankTransactionCode, r.UltimateCreditor, r.UltimateDebtor,
			} {
				assert.True(t, utf8.ValidString(s))
				assert.LessOrEqual(t, utf8.RuneCountInString(s), bankwire.MaxText)
				for _, c := range s {
					assert.False(t, unicode.IsControl(c), "%q", s)
				}
			}
		}
	})
}

// FuzzMessageCode checks that no error body crashes the process, and that it only
// returns codes of the standard.
func FuzzMessageCode(f *testing.F) {
	for _, seed := range []string{
		``, `[`, `null`, tppMessage("CONSENT_EXPIRED"), `{"code":"X","additionalErrors":[{}]}`,
		`[{"code":"FORMAT_ERROR"}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		code := messageCode(body)
		assert.True(t, code == "" || standardCodes[code], code)
	})
}

// FuzzFollow checks that no link leads the Consent-ID away from the bank.
func FuzzFollow(f *testing.F) {
	for _, seed := range []string{
		"", "/v1/a", "//evil.example", "https://bank.example", "https://bank.example:443/x", "https://bank.example.evil.example/",
		"https://bank.example@evil.example/", "HTTPS://BANK.EXAMPLE/", `https:\\evil.example`, "/\\evil.example", "?p=1",
		"http://bank.example/", "\t//evil.example", "https://ban%E2%84%AA.example/x", "https://BANK.example/x",
	} {
		f.Add(seed)
	}
	bank := pfm.BankEndpoint{BaseURL: "https://bank.example/psd2"}
	from := must(address(bank, "accounts"))
	f.Fuzz(func(t *testing.T, href string) {
		to, err := follow(bank, from, href)
		if err != nil {
			return
		}
		assert.Equal(t, "https", to.Scheme)
		assert.Nil(t, to.User)
		assert.Len(t, to.Hostname(), len("bank.example"))
		assert.Equal(t, "https://bank.example:443", pfm.Origin(to))
	})
}
