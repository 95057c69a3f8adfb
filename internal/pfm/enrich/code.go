package enrich

import (
	"fmt"
	"strconv"
	"strings"

	"aviso/internal/pfm"
)

// codeRule is the meaning of a bank's code for amounts with this sign; sign 0 means any.
type codeRule struct {
	Result

	sign int
}

// byCode looks up the purpose code, then the bank transaction code: the whole code, its sub-family in every family,
// its family, and its domain.
func (r *rules) byCode(in *Input, sign int) (Result, bool) {
	if in.PurposeCode == "" && in.BankTransactionCode == "" {
		return Result{}, false
	}
	domain, rest, _ := strings.Cut(in.BankTransactionCode, "-")
	family, sub, _ := strings.Cut(rest, "-")
	for _, id := range [...]string{
		"purpose:" + in.PurposeCode, "code:" + in.BankTransactionCode, "code:*-*-" + sub,
		"code:" + domain + "-" + family + "-*", "code:" + domain + "-*-*",
	} {
		for _, rule := range r.codes[id] {
			if rule.sign == 0 || rule.sign == sign {
				return rule.Result, true
			}
		}
	}
	return Result{}, false
}

// mccRule is the meaning of a merchant category code. It is zero if there is no code, or the standard does not assign
// it.
type mccRule struct {
	Result

	// moves is set on codes for moving money instead of spending it.
	moves bool
}

func (m *mccRule) known() bool { return m.RuleID != "" }

// mcc returns the rule for a code. Some banks drop the leading zero.
func (r *rules) mcc(code string) mccRule {
	n, err := strconv.ParseUint(code, 10, 16)
	category, ok := r.mccs[int(n)]
	if err != nil || len(code) > 4 || !ok {
		return mccRule{}
	}
	result := Result{Category: categoryOf(category), Source: pfm.SourceMCC, RuleID: fmt.Sprintf("mcc:%04d", n)}
	return mccRule{result, category == pfm.TransferOther || category == pfm.TransferPerson}
}
