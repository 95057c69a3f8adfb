package enrich

import "fmt"

// wordFlags tell what a word can be, beside being part of a merchant's name or
// of a keyword.
type wordFlags uint32

const (
	// How was paid.
	cueCard wordFlags = 1 << iota
	cueDebit
	cueTransfer
	// cuePeople is said of payments between people only (Tikkie, Bizum).
	cuePeople
	// cueProvider names a payment provider, who is not the merchant.
	cueProvider
	// cueInvoice is said of what is owed, so not of a gift between friends.
	cueInvoice
	// Who a name belongs to.
	cueCompany
	cueTitle
	wordGiven
	wordSurname
	// wordCommon has a meaning of its own, so as a name it needs support.
	wordCommon
	// wordNoise says nothing: cities, countries, banks' filler.
	wordNoise
	// What is insured; only read of a payment to an insurer.
	insureHome
	insureCar
	insureHealth
	insurePet
	insureTravel
	// cueGeneric is said of many things: other words say what of.
	cueGeneric
	// cueFuel turns a supermarket into its filling station.
	cueFuel
)

func lexiconKind(name string) (wordFlags, error) {
	switch name {
	case "card":
		return cueCard, nil
	case "debit":
		return cueDebit, nil
	case "transfer":
		return cueTransfer, nil
	case "people":
		return cuePeople, nil
	case "provider":
		return cueProvider, nil
	case "invoice":
		return cueInvoice, nil
	case "company":
		return cueCompany, nil
	case "title":
		return cueTitle, nil
	case "given":
		return wordGiven, nil
	case "surname":
		return wordSurname, nil
	case "common":
		return wordCommon, nil
	case "noise":
		return wordNoise, nil
	case "insure-home":
		return insureHome, nil
	case "insure-car":
		return insureCar, nil
	case "insure-health":
		return insureHealth, nil
	case "insure-pet":
		return insurePet, nil
	case "insure-travel":
		return insureTravel, nil
	case "generic":
		return cueGeneric, nil
	case "fuel":
		return cueFuel, nil
	default:
		return 0, fmt.Errorf("unknown kind of words %q", name)
	}
}
