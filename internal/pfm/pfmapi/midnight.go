package pfmapi

import (
	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/pfm"
)

// midnight is a day as partners see it, by the time at which it begins in UTC:
// 2026-02-27T00:00:00Z. It is written from the day's text, which takes a tenth of
// reading that as a time and formatting it again.
type midnight pfm.Date

// noDay is how the zero time is written.
const noDay = midnight("0001-01-01")

func (m midnight) appendJSON(b []byte) []byte {
	if m == "" {
		m = noDay
	}
	return append(append(append(b, '"'), m...), `T00:00:00Z"`...)
}

// MarshalJSON writes a time (RFC 3339).
func (m midnight) MarshalJSON() ([]byte, error) { return m.appendJSON(nil), nil }

// Schema describes it; Huma asks for it.
func (midnight) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}
