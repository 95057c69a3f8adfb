package api

import (
	"errors"
	"math"
	"strconv"
)

// Integer is an integer in a request body. JSON has only one number type, so 502.0 and 5.02e2 are also the integer
// 502. Some languages write integers like that.
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
