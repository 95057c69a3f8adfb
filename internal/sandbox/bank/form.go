package bank

import "strings"

// The forms of what callers send. They are no regular expressions: those would
// be compiled in every start of every function, as all of them link this
// package, and repetitions with bounds are the dearest.

const (
	digits  = "0123456789"
	capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	small   = "abcdefghijklmnopqrstuvwxyz"
)

// only tells whether s has no other characters than these.
func only(s, characters string) bool { return strings.Trim(s, characters) == "" }

func isIBAN(s string) bool {
	return len(s) >= 5 && len(s) <= 34 && only(s[:2], capital) && only(s[2:4], digits) && only(s[4:], digits+capital+small)
}

func isMaskedPAN(s string) bool { return len(s) >= 8 && len(s) <= 35 && only(s, digits+"xX*") }

func isCurrency(s string) bool { return len(s) == 3 && only(s, capital) }

// isCustomerNumber tells what the log-in form accepts; empty stands for the
// number that the browser keeps.
func isCustomerNumber(s string) bool { return len(s) <= 20 && only(s, digits+capital+small+"-") }

// isApprovalID tells whether s has the form of every id that was ever given out,
// which is its time and a UUID.
func isApprovalID(s string) bool {
	at, id, _ := strings.Cut(s, "Z-")
	day, hour, _ := strings.Cut(at, "T")
	second, fraction, _ := strings.Cut(hour, ".")
	return len(day) == 8 && len(second) == 6 && len(fraction) == 3 && only(day+second+fraction, digits) && len(id) == 36 && only(id, digits+"abcdef-")
}
