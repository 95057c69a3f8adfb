package enrich

import (
	"slices"
	"strings"

	"aviso/internal/pfm"
)

// keyword is a phrase with a purpose, and its position in a row.
type keyword struct {
	// text is the phrase, and language its language; an asterisk means all.
	text, language string
	// category is the subcategory's ID.
	category int
	// sign is the required sign of the amount; 0 means any.
	sign int
	// decisive is set on phrases for the row itself (wages, cash), not for what was bought.
	decisive bool
	// trade is set on words of trades.csv, which are lines of business.
	trade bool
	// personal is set on things for which one person pays another: rent, a lesson.
	personal bool
	// from and to are its words [from, to) in the row.
	from, to uint8
}

func (k *keyword) result() Result {
	id := "keyword:" + k.language + ":" + k.text
	return Result{Category: categoryOf(k.category), Source: pfm.SourceKeyword, RuleID: id}
}

// top returns the ID of the category, which those of its subcategories follow.
func (k *keyword) top() int { return k.category / 10 * 10 }

// judge sets the fields that follow from the category.
func (k *keyword) judge() {
	switch k.category {
	case pfm.TransferCash, pfm.IncomeSalary, pfm.IncomeBenefits, pfm.IncomePension, pfm.IncomeInterest:
		k.decisive, k.personal = true, k.category != pfm.IncomeInterest
	case pfm.TransferOwn, pfm.TransferPerson, pfm.TransferOther, pfm.IncomeRefund, pfm.IncomeOther,
		pfm.HousingRent, pfm.HousingUtilities, pfm.HousingHome, pfm.HousingOther,
		pfm.HealthDoctor, pfm.HealthBeauty, pfm.HealthOther, pfm.LeisureSports, pfm.LeisurePets,
		pfm.LeisureEducation, pfm.LeisureChildren,
		pfm.FinanceTaxes, pfm.FinanceInsurance, pfm.FinanceSavings:
		k.personal = true
	}
}

// The top-level categories that are not for what was bought.
const topFinance, topTransfers, topIncome = 580, 590, 600

// fits reports whether the keyword makes sense in the row.
func (k *keyword) fits(r *row) bool {
	switch {
	case k.sign != 0 && k.sign != r.sign:
		return false
	case r.people:
		return k.personal && k.category != pfm.IncomePension || r.flags&cueInvoice != 0
	case r.card && k.top() == topIncome:
		return false // wages are never paid by card: money that comes by card is a refund
	default:
		return !r.purchase || k.category != pfm.TransferPerson
	}
}

// The parts of a keyword's score, besides the number of its letters.
const (
	scoreSpoken       = 6   // a language of the row's country
	scoreEnglish      = 3   // a phrase of all languages, or English
	scoreDecisive     = 40  // it describes the row itself
	scoreFirst        = 4   // it begins the name of the shop
	scoreGeneric      = -25 // other words are more specific
	minForeignLetters = 6   // shorter words in other languages do not count
)

// bestKeyword returns the longest keyword of the row. It prefers those in the languages of the row's country. With
// trades, it considers only words of trades.csv. It returns false if there is none.
func (e *Engine) bestKeyword(r *row, trades bool) (keyword, bool) {
	var best keyword
	top, found := 0, false
	for i := range r.found {
		m := &r.found[i]
		if m.kind != kindKeyword {
			continue
		}
		k := e.keywords[m.id]
		if trades && !k.trade || !k.fits(r) || r.text.words[m.from].flags&wordStreet != 0 {
			continue
		}
		if r.people && r.text.words[m.from].field == fieldParty {
			continue // the phrase is part of a name
		}
		score := int(m.letters)
		isGeneric := r.text.words[m.from].flags&cueGeneric != 0
		switch {
		case k.language == "*" && r.sign > 0 && !r.purchase && m.letters < minForeignLetters:
			continue
		case k.language == "*" && !k.trade:
			score += scoreEnglish
		case r.speaks(k.language):
			score += scoreSpoken
		case r.code != "" && (trades || isGeneric || m.letters < minForeignLetters):
			continue
		case k.language == "en":
			score += scoreEnglish
		}
		if isGeneric {
			score += scoreGeneric
		}
		if k.decisive {
			score += scoreDecisive
		}
		if r.namesParty(int(m.from)) {
			score += scoreFirst
			if k.category == pfm.FinanceFees && !r.hasParty {
				score += scoreDecisive + 1 // a fee for cash is a fee
				k.decisive = true
			}
		}
		if !found || score > top {
			best, top, found = k, score, true
			best.from, best.to = m.from, m.to
		}
	}
	return best, found
}

// speaks reports whether a language is one of the row's country.
func (r *row) speaks(language string) bool {
	return language == "*" || strings.Contains(r.spoken, language)
}

// agrees reports whether a keyword of the row has the same meaning as the merchant category code.
func (e *Engine) agrees(r *row) bool {
	return slices.ContainsFunc(r.found, func(m match) bool {
		return m.kind == kindKeyword && e.keywords[m.id].top() == r.mcc.Category.ID && e.keywords[m.id].fits(r)
	})
}
