package enrich

import (
	"slices"
	"strings"
	"sync"

	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// Input is a transaction, and the country of its bank.
type Input struct {
	transaction.Transaction

	CountryCode string
}

// Result is the purpose of a transaction.
type Result struct {
	Category pfm.Category
	// Merchant has no ID if it is not known, and no name if the row names nobody.
	Merchant pfm.Merchant
	Source   pfm.CategorySource
	// RuleID names the rule, such as "merchant:spotify" or "keyword:de:miete".
	RuleID string
	// Debit reports whether the text speaks of a direct debit.
	Debit bool
}

// Engine holds the rules. It is read-only and safe for concurrent use.
type Engine struct {
	*rules
	brands *brands
}

// engine has the rules of data/*.csv. The first row loads them, which takes 30 to 40 ms.
var engine = sync.OnceValue(func() *Engine { return &Engine{rules: load(), brands: newBrands()} })

// categoryOf returns the category of a subcategory.
func categoryOf(subcategory int) pfm.Category {
	c, _ := pfm.CategoryOf(subcategory)
	return c
}

// row is a transaction as the steps of the pipeline see it.
type row struct {
	text text
	// fields are the counterparty and the note as written.
	fields [2]string
	rules  *rules
	// hasParty is set if the counterparty has a name, and labelled is the first run after a label before a name.
	hasParty bool
	labelled uint8
	// found has the phrases in order of precedence.
	found []match
	sign  int
	// code is the country's code in upper case, or empty. abroad is that of the shop, if the row says another one.
	code, abroad string
	// spoken are the languages of both.
	spoken string
	// flags are the flags of all words, party those of the words in the counterparty's name.
	flags, party wordFlags
	mcc          mccRule
	// card is set on card payments, purchase on card payments and direct debits, which always go to merchants.
	purchase, card bool
	// people is set on payments between people.
	people bool
}

// Enrich categorises a transaction. It never returns the sources Override and
// OwnTransfer.
func Enrich(in Input) Result {
	e := engine()
	var r row
	e.read(&r, &in)
	out := e.decide(&r, &in)
	if out.Debit = r.flags&cueDebit != 0; out.Category.SubcategoryID == pfm.TransferCash {
		out.Merchant = pfm.Merchant{} // such as "LINK ATM"
	} else if out.Merchant.ID == "" {
		out.Merchant.Name = r.shownName(&out)
	}
	return out
}

func (e *Engine) decide(r *row, in *Input) Result {
	if c, ok := e.byCode(in, r.sign); ok {
		return c
	}
	word, hasKeyword := e.bestKeyword(r, false)
	// A row about wages or cash is not a purchase from the party that it names, which is the employer or the shop with
	// the cash machine.
	if m, ok := e.bestMerchant(r, false); ok && word.decisive && m.category.ID == word.top() {
		return refined(&m, r)
	}
	if !word.decisive {
		trade, hasTrade := e.bestKeyword(r, true)
		if m, ok := e.bestMerchant(r, false); ok {
			if hasTrade && m.isLocal(&trade, r) {
				return trade.result()
			}
			if hasKeyword && m.isBeside(&word, r) {
				return insured(word.result(), r.flags)
			}
			return refined(&m, r)
		}
		if r.mcc.known() {
			if hasTrade && !e.agrees(r) {
				return trade.result()
			}
			return insured(r.mcc.Result, r.flags)
		}
		if cut, ok := e.cutBrand(r); ok {
			return cut
		}
	}
	if hasKeyword {
		return insured(word.result(), r.flags)
	}
	if scheme, ok := e.bestMerchant(r, true); ok && (r.people || r.nameWords() != 1) {
		out := scheme.result()
		out.Merchant = pfm.Merchant{} // it only passes the money on
		return out
	}
	if r.people {
		return Result{Category: categoryOf(pfm.TransferPerson), Source: pfm.SourceKeyword, RuleID: "keyword:*:person"}
	}
	if part, ok := e.guess(r); ok {
		return part
	}
	if r.flags&cueTransfer != 0 && r.nameWords() == 0 && !strings.ContainsAny(in.Note, "0123456789") {
		return Result{Category: categoryOf(pfm.TransferOther), Source: pfm.SourceKeyword, RuleID: "keyword:*:transfer"}
	}
	return Result{Category: pfm.Uncategorised(), Source: pfm.SourceNone}
}

func (e *Engine) read(r *row, in *Input) {
	r.sign = in.Amount.Sign()
	r.rules, r.fields = e.rules, [...]string{in.Counterparty, in.Note}
	for field, written := range r.fields {
		scan(&r.text, written, uint8(field), e.rules)
	}
	r.found = uncovered(e.find(&r.text))
	for _, m := range r.found { // "Banca ord:" is not "ord:"
		for i := m.from; m.kind == kindCue && i < m.to; i++ {
			r.text.words[i].flags = r.text.words[i].flags&^forms | wordFlags(m.id)
		}
	}
	for i := range r.text.count {
		r.flags |= r.text.words[i].flags
	}
	r.code = strings.ToUpper(in.CountryCode)
	r.spoken = e.spoken[r.code]
	r.mcc = e.mcc(in.MerchantCategoryCode)
	r.card = r.flags&cueCard != 0 || r.mcc.known() && !r.mcc.moves ||
		strings.Contains(in.BankTransactionCode, "CCRD") || strings.Contains(in.BankTransactionCode, "MCRD")
	r.purchase = r.card || r.flags&cueDebit != 0 || in.CreditorID != "" ||
		strings.Contains(in.BankTransactionCode, "DDT-")
	r.dissect()
	r.found = slices.DeleteFunc(r.found, r.isBooked)
	if r.abroad = e.abroad(r); r.abroad != "" {
		r.spoken += e.spoken[r.abroad]
	}
	r.people = r.betweenPeople()
	if brands := e.brandsOf(r); len(brands) > 0 {
		r.found = uncovered(append(brands, r.found...))
	}
}

// abroad returns the country at the end of a name: "SNCF PARIS FR".
func (r *rules) abroad(in *row) string {
	for i := in.text.count - 1; i > 0; i-- {
		w, before := in.text.words[i], in.text.words[i-1]
		last := i+1 == in.text.count || in.text.words[i+1].run != w.run || !in.hasLetter(i+1)
		if !last || before.run != w.run || w.part != partName {
			continue
		}
		code, written := r.written[string(in.text.bytes(w))], in.fields[w.field][w.from:w.to]
		if code != "" && code != in.code && strings.ToUpper(written) == written {
			return code
		}
	}
	return ""
}

// uncovered drops matches inside a longer one, such as the "uber" of "uber eats" or the "apple" of "apple pay".
func uncovered(all []match) []match {
	kept := all[:0]
	for i, m := range all {
		if !coveredBy(kept, m) && !coveredBy(all[i+1:], m) {
			kept = append(kept, m)
		}
	}
	return kept
}

func coveredBy(others []match, m match) bool {
	return slices.ContainsFunc(others, func(o match) bool {
		return o.from <= m.from && m.to <= o.to && o.to-o.from > m.to-m.from
	})
}

// Transaction implements transaction.Enrich.
func Transaction(t transaction.Transaction, countryCode string) transaction.Transaction {
	r := Enrich(Input{t, countryCode})
	t.Category, t.Merchant, t.Source, t.RuleID = r.Category, r.Merchant, r.Source, r.RuleID
	t.PartyName, t.Debit = r.Merchant.Name, r.Debit
	if r.Merchant.ID == "" {
		t.Merchant = pfm.Merchant{}
	}
	return t
}
