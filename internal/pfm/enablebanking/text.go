package enablebanking

import (
	"encoding/json"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

type text = bankwire.Text

// day is the calendar day of a date, or of a date with a time. Anything else is none.
type day pfm.Date

// UnmarshalJSON never fails.
func (d *day) UnmarshalJSON(b []byte) error {
	*d = ""
	var s string
	if json.Unmarshal(b, &s) == nil && len(s) >= len("2006-01-02") {
		if parsed, err := pfm.ParseDate(s[:len("2006-01-02")]); err == nil {
			*d = day(parsed)
		}
	}
	return nil
}

// wireAmount is an amount with its currency. An amount that cannot be read is nil.
type wireAmount struct {
	Currency text                            `json:"currency"`
	Amount   bankwire.Lenient[*money.Amount] `json:"amount"`
}

// identification names an account in a scheme, such as BBAN or CPAN (a card's number).
type identification struct {
	Identification text `json:"identification"`
	Scheme         text `json:"scheme_name"`
}
