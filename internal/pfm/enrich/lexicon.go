package enrich

// wordFlags are meanings of a word other than as part of a merchant's name or of a keyword.
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
	// cueInvoice marks money that is owed, which is not a gift between friends.
	cueInvoice
	// The owner of a name.
	cueCompany
	cueTitle
	wordGiven
	wordSurname
	// wordCommon is a common word, which needs other evidence as a name.
	wordCommon
	// wordNoise has no meaning: cities, countries, banks' filler words.
	wordNoise
	// The insured object, in the order of insured. Only used for payments to an insurer.
	insureHealth
	insureCar
	insureHome
	insurePet
	insureTravel
	// cueGeneric fits many purposes, so other words matter more.
	cueGeneric
	// cueFuel marks the filling station of a supermarket.
	cueFuel
	// cueApp is an app for payments to people and shops.
	cueApp
	// wordStreet is the name of a street.
	wordStreet
	// wordNumbered comes before a number, such as a branch's or a terminal's.
	wordNumbered
	// The bank's form: its own words, labels before the party and before the purpose, some only with a colon, and words
	// after which nothing more is said of either, some only before a number.
	formBooking
	formName
	formPurpose
	colonName
	colonPurpose
	formClose
	formDated
	// formCut cuts the name after it at a fixed width.
	formCut
	// wordLegal is a company's legal form.
	wordLegal
)

// kindNames are the names of the flags in lexicon.csv and forms.csv.
const kindNames = "card debit transfer people provider invoice company title given surname common noise insure-health " +
	"insure-car insure-home insure-pet insure-travel generic fuel app street number " +
	"booking name purpose name-colon purpose-colon close close-number cut legal"
