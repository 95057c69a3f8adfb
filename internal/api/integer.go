package api

import (
	"errors"
	"math"
	"strconv"
)

// Integer is an integer in a request body. JSON has one type of number, so 502.0 and
// 5.02e2 are the integer 502, and some languages write it like that.
type Integer int

// UnmarshalJSON implements json.Unmarshaler.
func (n *Integer) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return errors.New("not an integer") // without the value: errors never echo it
	}
	*n = Integer(f)
	return nil
}
