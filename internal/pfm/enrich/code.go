package enrich

import (
	"strconv"
	"strings"
)

// codeRule is what a bank's code says by the sign of the amount.
type codeRule struct {
	result Result
	sign   int
}

// byCode reads the purpose, then the bank transaction code, then the bank's own
// code. A rule "*-*-CWDL" holds for the sub-family in every family and
// "LDAS-*-*" for a whole domain; the more exact rule comes first.
func (e *Engine) byCode(in *Input, sign int) (Result, bool) {
	if in.PurposeCode != "" {
		if c, ok := e.codes.get("purpose:", in.PurposeCode, sign); ok {
			return c, true
		}
	}
	if in.BankTransactionCode != "" {
		if c, ok := e.codes.byParts(in.BankTransactionCode, sign); ok {
			return c, true
		}
	}
	// Every bank has codes of its own; those of the German ones are shared.
	if in.ProprietaryCode != "" && in.CountryCode == "DE" {
		return e.codes.get("gvc:", in.ProprietaryCode, sign)
	}
	return Result{}, false
}

// codeTable holds the rules by scheme and code; a code may have one for each
// sign.
type codeTable map[codeKey][]codeRule

type codeKey struct{ scheme, code string }

func (t codeTable) get(scheme, code string, sign int) (Result, bool) {
	for _, rule := range t[codeKey{scheme, code}] {
		if rule.sign == 0 || rule.sign == sign {
			return rule.result, true
		}
	}
	return Result{}, false
}

func (t codeTable) byParts(code string, sign int) (Result, bool) {
	if c, ok := t.get("code:", code, sign); ok {
		return c, true
	}
	first, last := strings.IndexByte(code, '-'), strings.LastIndexByte(code, '-')
	if first < 0 || first == last {
		return Result{}, false
	}
	if c, ok := t.get("sub:", code[last+1:], sign); ok {
		return c, true
	}
	if c, ok := t.get("family:", code[:last], sign); ok {
		return c, true
	}
	return t.get("domain:", code[:first], sign)
}

// mccRule is what a merchant category code says.
type mccRule struct {
	result Result
	// moves is set on codes under which money is moved rather than spent.
	moves bool
}

// mccTable holds the merchant category codes by number; nil where the standard
// assigns none.
type mccTable [10000]*mccRule

func (t *mccTable) rule(code string) *mccRule {
	if code == "" || len(code) > 4 {
		return nil
	}
	// Some banks drop the leading zero.
	n, err := strconv.ParseUint(code, 10, 16)
	if err != nil {
		return nil
	}
	return t[n]
}
