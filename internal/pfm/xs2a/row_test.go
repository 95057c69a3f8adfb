package xs2a

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// decodeRow decodes one booked row from JSON.
func decodeRow(t *testing.T, row string) (pfm.BankTransaction, error) {
	t.Helper()
	rows, next, err := decodePage([]byte(`{"transactions":{"booked":[` + row + `]}}`))
	if err != nil {
		assert.Nil(t, rows)
		return pfm.BankTransaction{}, err
	}
	require.Len(t, rows, 1)
	assert.Empty(t, next)
	return rows[0], nil
}

// withAmount adds members to an otherwise complete row.
func withAmount(members string) string {
	return `{"transactionAmount":{"currency":"EUR","amount":"-9.90"},` + members + `}`
}

func TestRow(t *testing.T) {
	t.Run("maps the fields of the standard", func(t *testing.T) {
		got, err := decodeRow(t, `{
			"transactionId":"3dc3","entryReference":"E-1","endToEndId":"E2E","mandateId":"M-7","checkId":"x",
			"creditorId":"DE98ZZZ09999999999","bookingDate":"2026-02-27","valueDate":"2026-02-28",
			"transactionAmount":{"currency":"EUR","amount":"-256.670"},
			"currencyExchange":[{"exchangeRate":"1"}],
			"creditorName":"Stadtwerke","creditorAccount":{"iban":"DE67 1001 0010 1306 1186 05"},"creditorAgent":"AAAADEBBXXX",
			"debtorName":"Erika Mustermann","debtorAccount":{"bban":"1234","pan":"5409050000000000"},
			"remittanceInformationUnstructured":"Abschlag\nFebruar",
			"additionalInformation":"Kd. 7","purposeCode":"ELEC","bankTransactionCode":"PMNT-RDDT-ESDD",
			"proprietaryBankTransactionCode":"NDDT+105","merchantCategoryCode":"4900",
			"balanceAfterTransaction":{"balanceType":"expected"},"_links":{}}`)

		require.NoError(t, err)
		assert.Equal(t, pfm.BankTransaction{
			ID: "3dc3", EntryReference: "E-1", EndToEndID: "E2E", MandateID: "M-7", CreditorID: "DE98ZZZ09999999999",
			Booked: true, Amount: money.MustParse("-256.670"), Currency: "EUR", BookingDate: "2026-02-27", ValueDate: "2026-02-28",
			CreditorName: "Stadtwerke", CreditorAccount: "DE67100100101306118605",
			DebtorName: "Erika Mustermann", DebtorAccount: "1234",
			Remittance: "Abschlag Februar", AdditionalInformation: "Kd. 7", PurposeCode: "ELEC",
			BankTransactionCode: "PMNT-RDDT-ESDD", ProprietaryBankTransactionCode: "NDDT+105", MerchantCategoryCode: "4900",
		}, got)
	})

	t.Run("only requires an amount", func(t *testing.T) {
		got := must(decodeRow(t, `{"transactionAmount":{"currency":"SEK","amount":100}}`))
		assert.Equal(t, pfm.BankTransaction{Booked: true, Amount: money.MustParse("100"), Currency: "SEK"}, got)
	})

	t.Run("keeps amounts exact, from strings and numbers", func(t *testing.T) {
		for _, amount := range []string{"0.1", "-0.10", "1234567890123456.789", "-99999999999999.999", "0", "5877.780"} {
			for _, form := range []string{amount, `"` + amount + `"`} {
				got, err := decodeRow(t, `{"transactionAmount":{"currency":"EUR","amount":`+form+`}}`)

				require.NoError(t, err, form)
				assert.Equal(t, amount, got.Amount.String())
			}
		}
	})

	t.Run("distinguishes booking and value day", func(t *testing.T) {
		got := must(decodeRow(t, withAmount(`"valueDate":"2026-02-28","bookingDate":""`)))
		assert.Empty(t, got.BookingDate)
		assert.Equal(t, pfm.Date("2026-02-28"), got.ValueDate)
	})

	t.Run("takes missing fields from its only detail", func(t *testing.T) {
		detail := `{"endToEndId":"D-E2E","mandateId":"D-M","creditorId":"D-C","transactionAmount":{"currency":"EUR","amount":"1"},
			"creditorName":"Laden","creditorAccount":{"iban":"DE1"},"debtorName":"Ich","debtorAccount":{"iban":"DE2"},
			"purposeCode":"GDDS","remittanceInformationUnstructured":"Kauf"}`

		alone := must(decodeRow(t, withAmount(`"endToEndId":"E","entryDetails":[`+detail+`]`)))
		batch := must(decodeRow(t, withAmount(`"endToEndId":"E","entryDetails":[`+detail+`,`+detail+`]`)))

		assert.Equal(t, pfm.BankTransaction{
			EndToEndID: "E", MandateID: "D-M", CreditorID: "D-C", Booked: true, Amount: money.MustParse("-9.90"), Currency: "EUR",
			CreditorName: "Laden", CreditorAccount: "DE1", DebtorName: "Ich", DebtorAccount: "DE2", Remittance: "Kauf", PurposeCode: "GDDS",
		}, alone)
		assert.Equal(t, pfm.BankTransaction{EndToEndID: "E", Booked: true, Amount: money.MustParse("-9.90"), Currency: "EUR"}, batch)
	})
}

func TestRowRemittance(t *testing.T) {
	for name, tt := range map[string]struct{ members, want string }{
		"a text": {`"remittanceInformationUnstructured":" Miete "`, "Miete"},
		"all lines": {
			`"remittanceInformationUnstructured":"A","remittanceInformationUnstructuredArray":["A","","B"]`, "A B",
		},
		"the text if there are no lines": {`"remittanceInformationUnstructured":"A","remittanceInformationUnstructuredArray":[]`, "A"},
		"a structured reference":         {`"remittanceInformationStructured":{"reference":"RF18","referenceType":"SCOR"}`, "RF18"},
		"a reference as plain text":      {`"remittanceInformationStructured":"RF18"`, "RF18"},
		"structured references":          {`"remittanceInformationStructuredArray":[{"reference":"RF1"},{"reference":"RF2"}]`, "RF1 RF2"},
		"the text before the reference": {
			`"remittanceInformationStructured":{"reference":"RF18"},"remittanceInformationUnstructured":"A"`, "A",
		},
		"digits":  {`"remittanceInformationUnstructured":4711`, "4711"},
		"nothing": {`"remittanceInformationUnstructured":null,"remittanceInformationStructured":null`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := must(decodeRow(t, withAmount(tt.members)))
			assert.Equal(t, tt.want, got.Remittance)
		})
	}
}

func TestRowCounterpartyAccount(t *testing.T) {
	for account, want := range map[string]string{
		`{"iban":"de1","bban":"2"}`: "DE1", `{"bban":"2","maskedPan":"3"}`: "2",
		`{"maskedPan":"1234xxxx","msisdn":"4"}`: "1234xxxx", `{"msisdn":"+49 170"}`: "+49 170",
		`{"other":{"identification":"ALIAS"}}`: "ALIAS", `{"pan":"5409050000000000"}`: "", `{"currency":"EUR"}`: "",
		`null`: "", `{"iban":null,"other":null,"bban":"000"}`: "000",
	} {
		got := must(decodeRow(t, withAmount(`"creditorAccount":`+account)))
		assert.Equal(t, want, got.CreditorAccount, account)
	}
}

func TestRowMerchantCategoryCode(t *testing.T) {
	for code, want := range map[string]string{`"5411"`: "5411", `5411`: "5411", `"541"`: "", `"54111"`: "", `"54a1"`: "", `""`: ""} {
		got := must(decodeRow(t, withAmount(`"merchantCategoryCode":`+code)))
		assert.Equal(t, want, got.MerchantCategoryCode, code)
	}
}

// A row without an amount cannot be read. It is counted, and costs no other.
func TestUnreadableRows(t *testing.T) {
	for _, row := range []string{
		`{}`, `null`, `[]`, `7`, `"row"`, `{"transactionAmount":null}`, `{"transactionAmount":{"currency":"EUR"}}`,
		`{"transactionAmount":{"currency":"EURO","amount":"1"}}`,
		`{"transactionAmount":{"currency":"EUR","amount":""}}`,
		`{"transactionAmount":{"currency":"EUR","amount":"1,234"}}`,
		`{"transactionAmount":{"currency":"EUR","amount":"1,234"}}`,
		`{"transactionAmount":{"currency":"EUR","amount":1e2}}`,
		`{"transactionAmount":{"currency":"EUR","amount":"NaN"}}`,
		`{"transactionAmount":{"currency":"EUR","amount":true}}`,
		`{"transactionAmount":{"currency":"EUR","amount":"12345678901234567890"}}`, `{"transactionAmount":"1 EUR"}`,
	} {
		good := withAmount(`"transactionId":"1"`)
		rows, _, err := decodePage([]byte(`{"transactions":{"booked":[` + row + `,` + good + `],"pending":[` + row + `]}}`))
		require.NoError(t, err, row)
		require.Len(t, rows, 3)
		assert.Equal(t, pfm.BankTransaction{Unreadable: true}, rows[0], row)
		assert.Equal(t, "1", rows[1].ID)
		assert.True(t, rows[2].Unreadable)
	}
}

// What a row can do without costs nothing but itself.
func TestRowsKeepWhatCanBeRead(t *testing.T) {
	is := func(want pfm.BankTransaction) pfm.BankTransaction {
		want.Booked = true
		if want.Amount.Sign() == 0 {
			want.Amount, want.Currency = money.MustParse("-9.90"), "EUR"
		}
		return want
	}
	for row, want := range map[string]pfm.BankTransaction{
		`{"transactionAmount":{"amount":"-1"}}`:                                {Amount: money.MustParse("-1")},
		`{"transactionAmount":{"currency":"eur","amount":"+1"}}`:               {Amount: money.MustParse("1"), Currency: "EUR"},
		`{"transactionAmount":{"currency":"EUR","amount":" -1,5 "}}`:           {Amount: money.MustParse("-1.5"), Currency: "EUR"},
		withAmount(`"bookingDate":"27.02.2026"`):                               {BookingDate: "2026-02-27"},
		withAmount(`"bookingDate":"27/02/2026"`):                               {BookingDate: "2026-02-27"},
		withAmount(`"valueDate":20260227`):                                     {ValueDate: "2026-02-27"},
		withAmount(`"bookingDate":"2026-02-29"`):                               {},
		withAmount(`"bookingDate":"0001-01-01"`):                               {},
		withAmount(`"valueDate":"9999-12-31"`):                                 {},
		withAmount(`"bookingDate":"2026-02-27T00:00:00Z"`):                     {BookingDate: "2026-02-27"},
		withAmount(`"bookingDate":"2026-02-27T09:30:00.000+01:00"`):            {BookingDate: "2026-02-27"},
		withAmount(`"bookingDate":"2026-02-27 00:00:00"`):                      {BookingDate: "2026-02-27"},
		withAmount(`"bookingDate":"2026-02-28T23:00:00Z"`):                     {BookingDate: "2026-03-01"},
		withAmount(`"bookingDate":"2026-02-28T22:31:00Z"`):                     {BookingDate: "2026-02-28"},
		withAmount(`"bookingDateTime":"2026-02-27T12:00:00"`):                  {BookingDate: "2026-02-27"},
		withAmount(`"valueDateTime":"2026-02-27T12:00:00"`):                    {ValueDate: "2026-02-27"},
		withAmount(`"transactionDate":"2026-02-27"`):                           {TransactionDate: "2026-02-27"},
		withAmount(`"transactionId":{}`):                                       {},
		withAmount(`"CREDITORNAME":"A"`):                                       {CreditorName: "A"},
		withAmount(`"entryDetails":{}`):                                        {},
		withAmount(`"creditorName":["a"]`):                                     {},
		withAmount(`"creditorName":true`):                                      {},
		withAmount(`"creditorAccount":"DE1"`):                                  {CreditorAccount: "DE1"},
		withAmount(`"ultimateCreditor":"Shop","ultimateDebtor":"Ann"`):         {UltimateCreditor: "Shop", UltimateDebtor: "Ann"},
		withAmount(`"remittanceInformationStructured":["RF18"]`):               {Remittance: "RF18"},
		withAmount(`"remittanceInformationStructured":[{"reference":"RF18"}]`): {Remittance: "RF18"},
		withAmount(`"remittanceInformationStructured":{"reference":{}}`):       {},
		withAmount(`"remittanceInformationUnstructuredArray":"A"`):             {Remittance: "A"},
		`{"transactionAmount":{"currency":"EUR","amount":"1"},"creditDebitIndicator":"DBIT"}`: {
			Amount: money.MustParse("-1"), Currency: "EUR",
		},
		withAmount(`"currencyExchange":{"instructedAmount":{"currency":"SEK","amount":"104.50"}}`): {
			Billed: money.MustParse("104.50"), BilledCurrency: "SEK",
		},
		withAmount(`"currencyExchange":[{"exchangeRate":"1"},{"instructedAmount":{"currency":"SEK","amount":1}}]`): {
			Billed: money.MustParse("1"), BilledCurrency: "SEK",
		},
		withAmount(`"billingAmount":{"currency":"EUR","amount":"1"},"currencyExchange":"none"`): {},
	} {
		got := must(decodeRow(t, row))
		assert.Equal(t, is(want), got, row)
	}
}

func TestDecodePageRejectsInvalidPages(t *testing.T) {
	for body, want := range map[string]error{
		``: bankwire.ErrNotJSON, `null`: bankwire.ErrMalformed, `{}`: bankwire.ErrMalformed,
		`{"transactions":null}`:          bankwire.ErrMalformed,
		`{"transactions":[]}`:            bankwire.ErrMalformed,
		`{"transactions":{"booked":{}}}`: bankwire.ErrMalformed, `{"transactions":{}} {}`: bankwire.ErrNotJSON,
		strings.Repeat(`[`, 20000): bankwire.ErrNotJSON,
	} {
		_, _, err := decodePage([]byte(body))
		assert.ErrorIs(t, err, want)
	}
}

func TestClean(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"keeps letters of all kinds":    {"Café Müller, Ærø, Łódź, 東京 👩‍👧", "Café Müller, Ærø, Łódź, 東京 👩‍👧"},
		"turns white space into spaces": {"a\tb\r\nc\u00a0d\u2028e", "a b  c d e"},
		"drops control characters":      {"a\x00b\x1b[31mc\x7fd\u009be", "ab[31mcde"},
		"drops bidirectional controls":  {"abc\u202egpj\u2066x\u200f", "abcgpjx"},
		"replaces invalid UTF-8":        {"a\xffb\xc3", "a�b�"},
		"trims":                         {" \u0000\n a \u202c ", "a"},
		"caps the length in characters": {strings.Repeat("ä", 1001), strings.Repeat("ä", 1000)},
		"leaves no space at the cap":    {strings.Repeat("a", 999) + " b", strings.Repeat("a", 999)},
		"leaves an empty text empty":    {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := bankwire.Clean(tt.in)
			assert.Equal(t, tt.want, got)
			assert.True(t, utf8.ValidString(got))
		})
	}

	t.Run("applies to texts in a response", func(t *testing.T) {
		got, err := decodeRow(
			t,
			withAmount("\"creditorName\":\"a\xff\\u0000\\ud800b\",\"additionalInformation\":\""+strings.Repeat("x", 5000)+`"`),
		)
		require.NoError(t, err)
		assert.Equal(t, "a��b", got.CreditorName)
		assert.Len(t, got.AdditionalInformation, bankwire.MaxText)
	})

	t.Run("applies to joined lines", func(t *testing.T) {
		line := `"` + strings.Repeat("x", 600) + `"`
		got := must(decodeRow(t, withAmount(`"remittanceInformationUnstructuredArray":[`+line+`,`+line+`]`)))
		assert.Len(t, got.Remittance, bankwire.MaxText)
	})
}

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
			again := must(money.Parse(r.Amount.String()))
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

// Banks send the balance after a row as the standard has it, as an amount, or as a number. No form loses the row.
func TestBalanceAfter(t *testing.T) {
	for sent, want := range map[string]string{
		`{"balanceType":"interimBooked","balanceAmount":{"amount":"99.50","currency":"EUR"}}`: "99.50",
		`{"balanceAmount":{"amount":99.5}}`:                                                   "99.5",
		`{"balanceAmount":{"amount":"-1.015,87"}}`:                                            "-1015.87",
		`{"amount":"1200.00","currency":"EUR"}`:                                               "1200.00",
		`"99"`:                                                                                "99",
		`99.25`:                                                                               "99.25",
		`"1 015,87"`:                                                                          "1015.87",
		`null`:                                                                                "",
		`{"balanceAmount":{"amount":null}}`:                                                   "",
		`[{"balanceAmount":{"amount":"7.00"}}]`:                                               "7.00",
		`{"balanceAmount":{"amount":"much"},"more":1}`:                                        "",
	} {
		rows, _, err := decodePage([]byte(`{"transactions":{"booked":[{"transactionId":"t1","bookingDate":"2026-03-01",
			"transactionAmount":{"amount":"-1.00","currency":"EUR"},"balanceAfterTransaction":` + sent + `}]}}`))
		require.NoError(t, err, sent)
		require.Len(t, rows, 1, sent)
		got := ""
		if rows[0].BalanceAfter != nil {
			got = rows[0].BalanceAfter.String()
		}
		assert.Equal(t, want, got, sent)
		assert.False(t, rows[0].Unreadable, sent)
	}
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
