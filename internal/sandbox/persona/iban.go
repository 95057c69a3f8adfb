package persona

import (
	"fmt"
	"strconv"
	"strings"
)

// iban returns an account number of the country with valid check digits: those of the
// standard and, where a country has them, the national ones, since validators also check
// those.
func iban(country string, d *rng) string {
	bban := bban(country, d)
	return country + fmt.Sprintf("%02d", 98-mod97(bban+country+"00")) + bban
}

func bban(country string, d *rng) string {
	switch country {
	case "DE":
		return "9" + d.digits(17)
	case "AT":
		return "9" + d.digits(15)
	case "LU":
		return "9" + d.digits(15)
	case "SE":
		return "9" + d.digits(19)
	case "NL":
		// The bank's four letters, then an account that passes the Dutch
		// eleven test behind its leading zero.
		return "SNDX0" + dutchAccount(d)
	case "IE":
		return "SNDX" + d.digits(14)
	case "BE":
		n := "9" + d.digits(9)
		check := mod97(n)
		if check == 0 {
			check = 97
		}
		return n + fmt.Sprintf("%02d", check)
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
	switch check := 11 - sum%11; check {
	case 10:
		return "1"
	case 11:
		return "0"
	default:
		return strconv.Itoa(check)
	}
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
