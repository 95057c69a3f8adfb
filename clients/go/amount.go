package aviso

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// Amount is an exact amount of money, in major units such as 12.34. It is a number in JSON, but
// never a binary float. The zero value is 0; as an optional parameter it means "not given".
type Amount struct {
	value *big.Rat // nil is 0; never changed
}

// An amount has no exponent that could make it enormous.
var number = regexp.MustCompile(`^-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,2})?$`)

// ParseAmount reads a number such as "-1234.56".
func ParseAmount(text string) (Amount, error) {
	value, ok := new(big.Rat).SetString(text)
	if !number.MatchString(text) || !ok {
		return Amount{}, fmt.Errorf("aviso: %q is not an amount", text)
	}
	return Amount{value}, nil
}

// Rat returns the amount as a new rational number, to calculate with.
func (a Amount) Rat() *big.Rat {
	if a.value == nil {
		return new(big.Rat)
	}
	return new(big.Rat).Set(a.value)
}

// Add returns a + b.
func (a Amount) Add(b Amount) Amount { return Amount{new(big.Rat).Add(a.Rat(), b.Rat())} }

// Sub returns a - b.
func (a Amount) Sub(b Amount) Amount { return Amount{new(big.Rat).Sub(a.Rat(), b.Rat())} }

// Neg returns -a.
func (a Amount) Neg() Amount { return Amount{new(big.Rat).Neg(a.Rat())} }

// Cmp returns -1, 0 or 1 if a is less than, equal to or greater than b.
func (a Amount) Cmp(b Amount) int { return a.Rat().Cmp(b.Rat()) }

// Sign returns -1, 0 or 1 if the amount is negative, 0 or positive.
func (a Amount) Sign() int { return a.Rat().Sign() }

// StringFixed returns the amount with that many decimal places, rounded half away from 0.
func (a Amount) StringFixed(places int) string { return a.Rat().FloatString(places) }

// String returns the amount with as many decimal places as it has, at least two.
func (a Amount) String() string {
	places, _ := a.Rat().FloatPrec()
	return a.StringFixed(max(places, 2))
}

// MarshalJSON writes a number.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalJSON reads a number, digit by digit.
func (a *Amount) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text == "null" {
		return nil
	}
	if strings.HasPrefix(text, `"`) {
		return errors.New("aviso: an amount is a number, not a string")
	}
	amount, err := ParseAmount(text)
	*a = amount
	return err
}
