// Package money has exact decimal amounts in major units (12.50 is twelve and a half
// euro, not 1250 cents). Between the bank's response and the partner's JSON, an
// amount is never a binary floating-point number.
package money

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/govalues/decimal"
)

// Amount is an exact signed decimal of at most 19 digits. The zero value is 0.
type Amount struct{ d decimal.Decimal }

var (
	errTooLong = errors.New("money: not a plain decimal number of at most 19 digits")
	errSum     = errors.New("money: sum exceeds 19 digits")
	errPercent = errors.New("money: percentage of nothing, or one that exceeds 19 digits")
)

// errNotStored is the error for a stored value that is not an amount.
var errNotStored = errors.New("money: stored value is not a number")

// Parse parses a plain decimal such as "-12.50". Exponents, signs without digits, separators and more than 19 digits
// are errors. The error never contains the text, which may be personal data.
func Parse(s string) (Amount, error) {
	if s == "" || strings.ContainsAny(s, "eE+ _") {
		return Amount{}, errors.New("money: not a plain decimal number")
	}
	d, err := decimal.Parse(s)
	if err != nil {
		return Amount{}, errTooLong
	}
	// The library rounds decimal places that do not fit.
	if _, places, _ := strings.Cut(s, "."); len(places) != d.Scale() {
		return Amount{}, errTooLong
	}
	return Amount{d: d}, nil
}

// MustParse is Parse for literals; it panics on a malformed one.
func MustParse(s string) Amount {
	a, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return a
}

// Add returns the exact sum, or an error if it needs more than 19 digits.
func (a Amount) Add(b Amount) (Amount, error) {
	sum, err := a.d.AddExact(b.d, max(a.d.Scale(), b.d.Scale()))
	if err != nil {
		// The library's error names the amounts.
		return Amount{}, errSum
	}
	return Amount{d: sum}, nil
}

// Times returns the exact sum of n such amounts, or an error if it needs more than 19 digits.
func (a Amount) Times(n int) (Amount, error) {
	sum, err := a.d.MulExact(decimal.MustNew(int64(n), 0), a.d.Scale())
	if err != nil {
		return Amount{}, errSum
	}
	return Amount{d: sum}, nil
}

// PercentAbove returns by how many percent a is above b, rounded half to even to two places. It fails if b is zero or
// the result needs more than 19 digits.
func (a Amount) PercentAbove(b Amount) (Amount, error) {
	diff, err := a.Add(b.Neg())
	if err != nil {
		return Amount{}, err
	}
	scaled, err := diff.d.MulExact(decimal.MustNew(10_000, 0), diff.d.Scale())
	if err != nil {
		return Amount{}, errPercent
	}
	whole, rest, err := scaled.QuoRem(b.d)
	if err != nil {
		return Amount{}, errPercent
	}
	hundredths, _, fits := whole.Int64(0)
	twice, err := rest.Add(rest)
	if err != nil || !fits {
		return Amount{}, errPercent
	}
	if c := twice.CmpAbs(b.d); c > 0 || c == 0 && hundredths%2 != 0 {
		hundredths += int64(diff.Sign() * b.Sign())
	}
	percent, err := decimal.New(hundredths, 2)
	if err != nil {
		return Amount{}, errPercent
	}
	return Amount{d: percent}, nil
}

// Neg returns the amount with the opposite sign.
func (a Amount) Neg() Amount { return Amount{d: a.d.Neg()} }

// Sign returns -1, 0 or +1.
func (a Amount) Sign() int { return a.d.Sign() }

// Cmp compares by value: 1.5 equals 1.50.
func (a Amount) Cmp(b Amount) int { return a.d.Cmp(b.d) }

// Equal reports whether both are the same value: 1.5 equals 1.50.
func (a Amount) Equal(b Amount) bool { return a.Cmp(b) == 0 }

// String returns the plain decimal with the digits it was parsed from ("12.50").
func (a Amount) String() string { return a.d.String() }

// AppendTo appends the amount in a compact form, with its decimal places. From reads it.
func (a Amount) AppendTo(b []byte) []byte {
	places := byte(a.d.Scale()) << 1
	if a.Sign() < 0 {
		places |= 1
	}
	return append(binary.AppendUvarint(b, a.d.Coef()), places)
}

// From reads an amount that AppendTo has written, and returns its length in bytes.
func From(b []byte) (Amount, int, error) {
	coefficient, n := binary.Uvarint(b)
	if n <= 0 || n == len(b) {
		return Amount{}, 0, errNotStored
	}
	places := int(b[n] >> 1)
	d, err := decimal.Parse(fmt.Sprintf("%de-%d", coefficient, places))
	if err != nil || d.Scale() != places { // the library rounds decimal places that do not fit
		return Amount{}, 0, errNotStored
	}
	if b[n]&1 != 0 {
		d = d.Neg()
	}
	return Amount{d}, n + 1, nil
}

// MarshalJSON writes a JSON number.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.d.String()), nil }

// UnmarshalJSON reads a JSON number, or a string with a number; banks send both.
func (a *Amount) UnmarshalJSON(b []byte) error {
	s := string(b)
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		s = s[1 : len(s)-1]
	}
	parsed, err := Parse(s)
	*a = parsed
	return err
}

// MarshalDynamoDBAttributeValue stores the amount as a string, because a
// DynamoDB number drops the trailing zeros that the bank sent.
func (a Amount) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberS{Value: a.d.String()}, nil
}

// UnmarshalDynamoDBAttributeValue reads a string or a number.
func (a *Amount) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	var s string
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		s = v.Value
	case *types.AttributeValueMemberN:
		s = v.Value
	default:
		return errNotStored
	}
	parsed, err := Parse(s)
	*a = parsed
	return err
}
