package bank

import "strings"

// These checks are not regular expressions: every function links this package and would
// compile them at each start, and bounded repetitions are the most expensive.

const (
	digits = "0123456789"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower  = "abcdefghijklmnopqrstuvwxyz"
)

// consistsOf reports whether s has only these characters.
func consistsOf(s, characters string) bool { return strings.Trim(s, characters) == "" }

func isIBAN(s string) bool {
	return len(s) >= 5 && len(s) <= 34 && consistsOf(s[:2], upper) && consistsOf(s[2:4], digits) &&
		consistsOf(s[4:], digits+upper+lower)
}

func isMaskedPAN(s string) bool { return len(s) >= 8 && len(s) <= 35 && consistsOf(s, digits+"xX*") }

func isCurrency(s string) bool { return len(s) == 3 && consistsOf(s, upper) }

// isCustomerNumber reports whether the login form accepts s. Empty stands for the number
// that the browser keeps.
func isCustomerNumber(s string) bool { return len(s) <= 20 && consistsOf(s, digits+upper+lower+"-") }

// isApprovalID reports whether s has the form of an approval ID, which is its time and a
// UUID.
func isApprovalID(s string) bool {
	at, id, _ := strings.Cut(s, "Z-")
	day, hour, _ := strings.Cut(at, "T")
	second, fraction, _ := strings.Cut(hour, ".")
	return len(day) == 8 && len(second) == 6 && len(fraction) == 3 && consistsOf(day+second+fraction, digits) &&
		len(id) == 36 && consistsOf(id, digits+"abcdef-")
}
