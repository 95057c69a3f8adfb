package enrich

import "fmt"

// wordFlags say what a word can be, besides a part of a merchant's name or of a
// keyword.
type wordFlags uint32

const (
	// The payment method.
	cueCard wordFlags = 1 << iota
	cueDebit
	cueTransfer
	// cuePeople marks payments that are always between people (Tikkie, Bizum).
	cuePeople
	// cueProvider is a payment provider, which is not the merchant.
	cueProvider
	// cueInvoice marks money that is owed, so it is not a gift between friends.
	cueInvoice
	// What a name belongs to.
	cueCompany
	cueTitle
	wordGiven
	wordSurname
	// wordCommon is a common word, so as a name it needs other evidence.
	wordCommon
	// wordNoise means nothing: cities, countries, banks' filler words.
	wordNoise
	// What is insured. Only used for payments to an insurer.
	insureHome
	insureCar
	insureHealth
	insurePet
	insureTravel
	// cueGeneric fits many things, so other words matter more.
	cueGeneric
	// cueFuel marks the filling station of a supermarket.
	cueFuel
	// cueApp is an app in which people pay each other and shops.
	cueApp
	// wordStreet is the name of a street.
	wordStreet
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
	case "app":
		return cueApp, nil
	case "street":
		return wordStreet, nil
	default:
		return 0, fmt.Errorf("unknown kind of words %q", name)
	}
}
