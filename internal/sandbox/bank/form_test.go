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
