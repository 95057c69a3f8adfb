package persona

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"time"
)

// Cents is an exact amount in hundredths of its currency. Every currency of the sandbox
// has two decimal places.
type Cents int64

// String returns the amount as a decimal with two digits: -1234 is "-12.34".
func (c Cents) String() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	return fmt.Sprintf("%s%d.%02d", sign, c/100, c%100)
}

// Day is a calendar day, counted from 1 January 1970.
type Day int

// Epoch is the first day on which anything happens on an account: 1 January
// 2022.
const Epoch Day = 18993

func day(y int, m time.Month, d int) Day {
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// DayOf returns the day that t shows in its own time zone.
func DayOf(t time.Time) Day { return day(t.Date()) }

// ParseDay reads YYYY-MM-DD.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, errors.New("persona: not a calendar day of the form YYYY-MM-DD")
	}
	return DayOf(t), nil
}

// String returns the day as YYYY-MM-DD.
func (d Day) String() string { return d.Time().Format(time.DateOnly) }

// Time returns midnight UTC at the start of the day.
func (d Day) Time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// isBusinessDay reports whether banks book on this day: on weekdays, except the closing
// days of the euro's payment system.
func (d Day) isBusinessDay() bool {
	t := d.Time()
	year, month, day := t.Date()
	switch int(month)*100 + day {
	case 101, 501, 1225, 1226:
		return false
	}
	easter := easterOf(year)
	return t.Weekday() != time.Saturday && t.Weekday() != time.Sunday && d != easter-2 && d != easter+1
}

// easterOf returns Easter Sunday, which follows the first full moon of spring (valid from
// 1900 to 2099).
func easterOf(year int) Day {
	moon := (19*(year%19) + 24) % 30
	if moon == 29 || moon == 28 && year%19 > 10 {
		moon--
	}
	weekday := (2*(year%4) + 4*(year%7) + 6*moon + 5) % 7
	return day(year, time.March, 22+moon+weekday)
}

// nextBusiness returns the first business day from d on.
func (d Day) nextBusiness() Day {
	for !d.isBusinessDay() {
		d++
	}
	return d
}

// isMonthly reports whether something that falls on the given day of every month is
// booked on this day: on the day itself or, if banks are closed then, on the next business
// day, or the one before if it is due early. A day beyond the end of the month is the
// month's last day.
func (d Day) isMonthly(dayOfMonth int, early bool) bool {
	step := Day(-1)
	if early {
		step = 1
	}
	for s := d; d.isBusinessDay() && (s == d || !s.isBusinessDay()); s += step {
		t := s.Time()
		last := t.AddDate(0, 1, -t.Day()).Day()
		if t.Day() == min(dayOfMonth, last) {
			return true
		}
	}
	return false
}

// month returns 1 for January.
func (d Day) month() int { return int(d.Time().Month()) }

// rng is a small deterministic generator (splitmix64). It is implemented here because
// histories must be the same with every version of Go, which the standard library does
// not promise for values derived from its generators.
type rng struct{ state uint64 }

// seed hashes texts to a seed for an rng.
func seed(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p)) // a hash never fails to write
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

func (d *rng) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// intn returns a number from 0 to n-1.
func (d *rng) intn(n int) int { return int(d.next() % uint64(n)) }

// chance returns true with a probability of p per cent.
func (d *rng) chance(p int) bool { return d.intn(100) < p }

// between returns an amount from lo to hi, both included.
func (d *rng) between(lo, hi Cents) Cents { return lo + Cents(d.intn(int(hi-lo)+1)) }

// digits returns n digits.
func (d *rng) digits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + d.intn(10))
	}
	return string(b)
}

func choose[T any](d *rng, from []T) T { return from[d.intn(len(from))] }

// iban returns an account number of the country with valid check digits: those of the
// standard and, where a country has them, the national ones, since validators also check
// those.
func iban(country string, d *rng) string {
	bban := bban(country, d)
	return country + fmt.Sprintf("%02d", 98-mod97(bban+country+"00")) + bban
}

func bban(country string, d *rng) string {
	switch country {
	case "DE", "AT", "LU", "SE":
		return "9" + d.digits(map[string]int{"DE": 17, "AT": 15, "LU": 15, "SE": 19}[country])
	case "NL":
		// The bank's four letters, then an account that passes the Dutch
		// eleven test behind its leading zero.
		return "SNDX0" + dutchAccount(d)
	case "IE":
		return "SNDX" + d.digits(14)
	case "BE":
		n := "9" + d.digits(9)
		return n + fmt.Sprintf("%02d", (mod97(n)+96)%97+1)
	case "FR":
		n := "9" + d.digits(20)
		return n + fmt.Sprintf("%02d", 97-mod97(n+"00"))
	case "PT":
		n := "9" + d.digits(18)
		return n + fmt.Sprintf("%02d", 98-mod97(n+"00"))
	case "ES":
		bank, account := "9"+d.digits(7), d.digits(10)
		return bank + spanishDigit("00"+bank) + spanishDigit(account) + account
	case "IT":
		n := "9" + d.digits(21)
		return italianLetter(n) + n
	default:
		panic("persona: no account numbers for " + country)
	}
}

// mod97 returns the remainder of the number that s becomes when A stands for 10 and Z for
// 35 (ISO 7064).
func mod97(s string) int {
	rest := 0
	for _, c := range s {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest
}

// dutchAccount returns nine digits whose sum weighted 9 … 1 is divisible by eleven.
func dutchAccount(d *rng) string {
	for {
		n := d.digits(9)
		sum := 0
		for i, c := range n {
			sum += (9 - i) * int(c-'0')
		}
		if sum%11 == 0 {
			return n
		}
	}
}

// spanishDigit returns the control digit of ten digits.
func spanishDigit(n string) string {
	weights := [10]int{1, 2, 4, 8, 5, 10, 9, 7, 3, 6}
	sum := 0
	for i, c := range n {
		sum += weights[i] * int(c-'0')
	}
	return "01234567891"[(11-sum%11)%11:][:1] // ten is one
}

// italianLetter returns the control letter for 22 digits.
func italianLetter(n string) string {
	odd := [10]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21}
	sum := 0
	for i, c := range n {
		if i%2 == 0 {
			sum += odd[c-'0']
		} else {
			sum += int(c - '0')
		}
	}
	return string(rune('A' + sum%26))
}

// creditorID returns a SEPA creditor identifier. The business code ZZZ is not part of its
// check digits.
func creditorID(country string, d *rng) string {
	n := "0" + d.digits(10)
	return country + fmt.Sprintf("%02d", 98-mod97(n+country+"00")) + "ZZZ" + n
}

// maskedPAN returns a card number as banks show it.
func maskedPAN(d *rng) string {
	return "4" + d.digits(5) + strings.Repeat("x", 6) + d.digits(4)
}
