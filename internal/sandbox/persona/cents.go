package persona

import "strconv"

// Cents is an exact amount in hundredths of its currency. Every currency of the sandbox
// has two decimal places.
type Cents int64

// String returns the amount as a decimal with two digits: -1234 is "-12.34".
func (c Cents) String() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	s := strconv.FormatInt(int64(c), 10)
	for len(s) < 3 {
		s = "0" + s
	}
	return sign + s[:len(s)-2] + "." + s[len(s)-2:]
}
