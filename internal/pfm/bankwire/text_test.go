package bankwire_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// Banks write amounts as people do at home. One that may mean two numbers is not read.
func TestAmount(t *testing.T) {
	for sent, want := range map[string]string{
		`"-12.5"`: "-12.5", `12.50`: "12.50", `"+3"`: "3", `"-3,5"`: "-3.5", `"1.015,87"`: "1015.87",
		`"-1,234.56"`: "-1234.56", `"1 015,87"`: "1015.87", `"1\u00a0015,87"`: "1015.87", `"1\u202f234\u202f567.8"`: "1234567.8",
		`"4'711.98"`: "4711.98", `"4’711,98"`: "4711.98", `"1.234.567"`: "1234567", `"1,234,567"`: "1234567",
		`"1,234,567.89"`: "1234567.89", `"- 7.00"`: "-7.00", `"−7.00"`: "-7.00", `"1.234"`: "1.234", `"0"`: "0",
	} {
		var w bankwire.Object
		require.NoError(t, json.Unmarshal([]byte(`{"amount":`+sent+`,"currency":"EUR"}`), &w))
		amount, _, ok := w.Amount()
		assert.True(t, ok, sent)
		assert.Equal(t, want, amount.String(), sent)
	}
	for _, sent := range []string{
		`"1,234"`, `"1.23.456"`, `"1,23,456"`, `"12.34,56.78"`, `"1 01,87"`, `"--1"`, `"-"`, `""`, `","`, `"."`, `"12 EUR"`, `null`,
		`"1.015.87"`,
	} {
		var w bankwire.Object
		require.NoError(t, json.Unmarshal([]byte(`{"amount":`+sent+`,"currency":"EUR"}`), &w))
		_, _, ok := w.Amount()
		assert.False(t, ok, sent)
	}
}

func TestEntities(t *testing.T) {
	for sent, want := range map[string]string{
		"Schuh &amp; Sohle": "Schuh & Sohle", "Caf&#233; L&#39;Oie": "Café L'Oie", "&#x2013; &euro;5": "– €5",
		"Haus &amp;amp; Hof": "Haus & Hof", "&amp;lt;A&amp;gt;": "<A>", "A & B; C": "A & B; C", "R&D": "R&D",
		"A&region=1": "A&region=1", "no&unknown;": "no&unknown;", "a&shy;b&#8238;c": "abc", "a&nbsp;b": "a b",
	} {
		sent, err := json.Marshal(sent)
		require.NoError(t, err)
		var text bankwire.Text
		require.NoError(t, json.Unmarshal(sent, &text))
		assert.Equal(t, want, string(text), string(sent))
	}
}

// An answer is in UTF-8, whatever its header says, or else in the character set of its header.
func TestCharacterSets(t *testing.T) {
	for _, tt := range []struct{ mediaType, body, want string }{
		{"application/json", "\"\xc3\xa4\"", "ä"},
		{"application/json; charset=ISO-8859-1", "\"\xe4\"", "ä"},
		{"application/json; charset=ISO-8859-1", "\"\xc3\xa4\"", "ä"},
		{"application/json;charset=iso-8859-2", "\"\xb3\"", "ł"},
		{"application/json; charset=windows-1250", "\"\x9c\"", "ś"},
		{"application/json; charset=ISO-8859-15", "\"\xa4\"", "€"},
		{"application/json", "\"\xe4\"", "ä"},
		{"nonsense;;", "\"\xe4\"", "ä"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", tt.mediaType)
			_, _ = w.Write([]byte(tt.body))
		}))
		caller := bankwire.NewCaller(time.Now, outbound.Timeouts{Total: time.Minute}, http.DefaultTransport, nil)
		var got bankwire.Text
		refused := func(int, []byte) *pfm.SupplierError { return &pfm.SupplierError{} }
		err := caller.Do(t.Context(), bankwire.Request{URL: server.URL, Refused: refused}, &got, nil)
		server.Close()
		require.NoError(t, err)
		assert.Equal(t, tt.want, string(got), tt.mediaType)
	}
}
