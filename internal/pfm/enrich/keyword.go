package enrich

import "aviso/internal/pfm"

// keyword is what is weighed of one; Engine.meant tells the rest.
type keyword struct {
	category pfm.Category
	// languages that the phrase belongs to; 0 for all.
	languages uint64
	// sign that the amount must have; 0 for any.
	sign int
	// ruling is set on phrases that say what the row itself is (wages, cash) and
	// not what was bought.
	ruling bool
	// personal is set on what one person pays another for: rent, a lesson.
	personal bool
	// at is where its record begins.
	at int
}

// judge derives what the category says of a keyword.
func (k *keyword) judge() {
	switch k.category.SubcategoryID {
	case pfm.TransferCash, pfm.IncomeSalary, pfm.IncomeBenefits, pfm.IncomePension, pfm.IncomeInterest:
		k.ruling, k.personal = true, true
	case pfm.TransferOwn, pfm.TransferPerson, pfm.TransferOther, pfm.IncomeRefund, pfm.IncomeOther,
		pfm.HousingRent, pfm.HousingUtilities, pfm.HousingHome, pfm.HousingOther,
		pfm.HealthDoctor, pfm.HealthBeauty, pfm.HealthOther, pfm.LeisureSports, pfm.LeisurePets, pfm.LeisureEducation, pfm.LeisureChildren, pfm.LeisureDonations,
		pfm.FinanceTaxes, pfm.FinanceInsurance, pfm.FinanceSavings:
		k.personal = true
	}
}

// topIncome is the top-level category of incomes.
const topIncome = 600

// fits tells whether the keyword can be meant in the row.
func (k *keyword) fits(r *row) bool {
	switch {
	case k.sign != 0 && k.sign != r.sign:
		return false
	case r.people:
		return k.personal || r.flags&cueInvoice != 0
	case r.card && k.category.ID == topIncome:
		return false // no card pays wages: what comes back by card is a refund
	default:
		return !r.purchase || k.category.SubcategoryID != pfm.TransferPerson
	}
}

// The parts of a keyword's score, beside its letters.
const (
	scoreSpoken   = 6   // a language of the row's country
	scoreEnglish  = 3   // a phrase of all languages, or English
	scoreRuling   = 40  // it says what the row is
	scoreGeneric  = -25 // other words say what it is about
	foreignLetter = 5   // shorter words of other languages do not count
)

// bestKeyword is the longest keyword of the row, those in the languages of its
// country first. False where there is none.
func (e *Engine) bestKeyword(r *row) (keyword, bool) {
	var best keyword
	top, found := 0, false
	for i := range r.matches() {
		m := &r.found[i]
		if m.kind != kindKeyword {
			continue
		}
		k := e.keyword(m.id)
		if !k.fits(r) {
			continue
		}
		score := int(m.letters)
		switch {
		case k.languages == 0:
			score += scoreEnglish
		case k.languages&r.spoken != 0:
			score += scoreSpoken
		case m.letters < foreignLetter && r.country != 0:
			continue
		case k.languages&e.english != 0:
			score += scoreEnglish
		}
		if r.text.words[m.from].flags&cueGeneric != 0 {
			score += scoreGeneric
		}
		if k.ruling {
			score += scoreRuling
		}
		if !found || score > top {
			best, top, found = k, score, true
		}
	}
	return best, found
}
