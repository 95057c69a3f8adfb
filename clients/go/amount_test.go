package aviso

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"
)

func TestAmountsAreExact(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0.00", "-0": "0.00", "12.5": "12.50", "-0.01": "-0.01", "1234567.89": "1234567.89", "0.1": "0.10", "1e3": "1000.00",
		"1.5E-3": "0.0015", "9007199254740993.25": "9007199254740993.25", "123456789012345678901234567890.12": "123456789012345678901234567890.12",
	} {
		var got Amount
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		equal(t, text, got.String(), want)
		written, err := json.Marshal(struct{ A Amount }{got})
		equal(t, "JSON", fmt.Sprintf("%s %v", written, err), `{"A":`+want+`} <nil>`)
	}
	for _, text := range []string{`"12.50"`, `true`, `1e999`, `{}`} {
		if err := json.Unmarshal([]byte(text), new(Amount)); err == nil {
			t.Errorf("accepted %s", text)
		}
	}
	for _, text := range []string{"", "1/3", "0x10", "1_000", "Inf", " 1", "1,5", "1e100"} {
		if _, err := ParseAmount(text); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
}

func TestAmountsAddUp(t *testing.T) {
	var sum Amount
	cents := int64(0)
	for i := range 1652 {
		c := int64(i*7919%2_000_003) - 1_000_000
		cents += c
		amount, err := ParseAmount(fmt.Sprintf("%de-2", c))
		if err != nil {
			t.Fatal(err)
		}
		sum = sum.Add(amount)
	}
	equal(t, "sum", sum.StringFixed(2), big.NewRat(cents, 100).FloatString(2))

	a, _ := ParseAmount("0.10")
	b, _ := ParseAmount("0.2")
	equal(t, "0.10 + 0.2", a.Add(b).String(), "0.30")
	equal(t, "0.10 - 0.2", a.Sub(b).String(), "-0.10")
	equal(t, "-0.10", a.Neg().String(), "-0.10")
	equal(t, "0.10 is as it was", a.String(), "0.10")
	equal(t, "comparison", a.Cmp(b), -1)
	equal(t, "sign", a.Neg().Sign(), -1)
	equal(t, "null leaves 0", fmt.Sprint(json.Unmarshal([]byte("null"), &sum)), "<nil>")
	equal(t, "0", Amount{}.Add(Amount{}).String(), "0.00")
}
