package bank

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFormats(t *testing.T) {
	const uuid = "0f6b2c1e-93ab-4d57-8a61-5d2f7c9e1b3a"
	for name, form := range map[string]struct {
		fits func(string) bool
		good []string
		bad  []string
	}{
		"IBAN": {isIBAN, []string{"DE75512108001245126199", "NO9386011117947", "DE75a", "DE75" + strings.Repeat("9", 30)}, []string{
			"", "DE", "DE75", "de75512108001245126199", "D175512108001245126199", "DEX5512108001245126199",
			"DE75 5121", "DE75512108001245126199\n", "DE75ä", "DE75" + strings.Repeat("9", 31),
		}},
		"masked card number": {isMaskedPAN, []string{"1234XXXX", "525412******3241", strings.Repeat("x", 35)}, []string{
			"", "1234XXX", "1234-XXXX", strings.Repeat("x", 36), "12345678\n",
		}},
		"currency": {isCurrency, []string{"EUR"}, []string{"", "EU", "eur", "EURO", "EU1"}},
		"customer number": {isCustomerNumber, []string{"", "1", "Anna-1", strings.Repeat("9", 20)},
			[]string{" ", "a_b", "ä", strings.Repeat("9", 21)}},
		"approval": {isApprovalID, []string{"20240501T120000.123Z-" + uuid}, []string{
			"", uuid, "20240501T120000.123Z-", "20240501T120000Z-" + uuid, "20240501T120000.12Z-" + uuid, "2024050T120000.123Z-" + uuid,
			"20240501T12000.1234Z-" + uuid, "20240501T120000.123Z-" + strings.ToUpper(uuid), "20240501T120000.123Z-" + uuid + "0",
			"20240501120000.123Z-" + uuid, "2024050xT120000.123Z-" + uuid, "20240501T120000.123-" + uuid,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, s := range form.good {
				assert.True(t, form.fits(s), s)
			}
			for _, s := range form.bad {
				assert.False(t, form.fits(s), s)
			}
		})
	}
}
