package pfmapi

import (
	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/pfm"
)

// midnight is a day as partners see it: the time at which it starts in UTC, such as
// 2026-02-27T00:00:00Z. It is built from the day's text, which takes a tenth of the
// time of parsing the day and formatting it again.
type midnight pfm.Date

// zeroDay is the day of the zero time.
const zeroDay = midnight("0001-01-01")

func (m midnight) appendJSON(b []byte) []byte {
	if m == "" {
		m = zeroDay
	}
	return append(append(append(b, '"'), m...), `T00:00:00Z"`...)
}

// MarshalJSON returns an RFC 3339 time.
func (m midnight) MarshalJSON() ([]byte, error) { return m.appendJSON(nil), nil }

// Schema implements huma.SchemaProvider.
func (midnight) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}
