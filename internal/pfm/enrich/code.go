package enrich

import (
	"strconv"
	"strings"

	"aviso/internal/pfm"
)

// codeRule is what a bank's code means for amounts with this sign; sign 0 means any.
type codeRule struct {
	result Result
	sign   int
}

// byCode looks up the purpose code, then the bank transaction code. A rule "*-*-CWDL" applies to the sub-family in every family, and
// "LDAS-*-*" to a whole domain. The more specific rule wins.
func (e *Engine) byCode(in *Input, sign int) (Result, bool) {
	if c, ok := e.codes.get("purpose:", in.PurposeCode, sign); ok {
		return c, true
	}
	return e.codes.byParts(in.BankTransactionCode, sign)
}

// codeTable holds the rules by scheme and code. A code may have one rule for each
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

// mccRule is what a merchant category code means. It is the zero value if there is
// no code, or the standard does not assign it.
type mccRule struct {
	category pfm.Category
	// moves is set on codes for moving money rather than spending it.
	moves bool
	rule  string
}

func (m *mccRule) known() bool { return m.rule != "" }

func (m *mccRule) result() Result {
	return Result{Category: m.category, Source: pfm.SourceMCC, RuleID: m.rule, Confidence: sureOfMCC}
}

// mccCount is the number of possible merchant category codes.
const mccCount = 10000

func (e *Engine) mcc(code string) mccRule {
	if code == "" || len(code) > 4 {
		return mccRule{}
	}
	// Some banks drop the leading zero.
	n, err := strconv.ParseUint(code, 10, 16)
	if err != nil {
		return mccRule{}
	}
	return e.mccs[int(n)]
}
