package enrich

// How sure results are, by what they rest on. make eval measures how many are right at
// each level.
const (
	sureOfCode     = 99
	sureOfMerchant = 98
	sureOfDecisive = 97
	sureOfTrade    = 96
	sureOfKeyword  = 95
	sureOfMCC      = 94
	sureOfPerson   = 92
	sureOfWeakName = 91
	sureOfShort    = 85
	sureOfGeneric  = 80
	sureOfCutName  = 77
	sureOfGuess    = 75
	sureOfForeign  = 70
	sureOfNothing  = 50

	// leastConfidence is the least with which a row gets a category.
	leastConfidence = 60
)
