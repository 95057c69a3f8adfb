package bankcheck

// Code names a kind of finding.
type Code string

// The kinds of findings.
const (
	noAnswer           Code = "no-answer"
	tlsRefused         Code = "tls-refused"
	ownCertificate     Code = "own-certificate"
	serverError        Code = "server-error"
	rateLimited        Code = "rate-limited"
	unreadableAnswer   Code = "unreadable-answer"
	certificateRefused Code = "certificate-refused"
	sealWanted         Code = "seal-wanted"
	tokenWanted        Code = "token-wanted"
	clientIDMissing    Code = "client-id-missing"
	noPKCE             Code = "no-pkce"
	embeddedOnly       Code = "embedded-only"
	psuIDWanted        Code = "psu-id-wanted"
	ibansWanted        Code = "ibans-wanted"
	refused            Code = "refused"
	consentRefused     Code = "consent-not-given"
	consentNotHonoured Code = "consent-not-honoured"

	allAccountsForm  Code = "all-accounts-consent"
	consentShorter   Code = "consent-shorter"
	readsPerDay      Code = "reads-per-day"
	consentLate      Code = "consent-late"
	consentNotEnded  Code = "consent-not-ended"
	noSCAApproach    Code = "no-sca-approach"
	mediaType        Code = "media-type"
	byteOrderMark    Code = "byte-order-mark"
	requestIDMissing Code = "request-id-missing"
	bankClock        Code = "clock"
	refusalNoCode    Code = "refusal-without-code"
	headersWanted    Code = "headers-wanted"

	noAccounts         Code = "no-accounts"
	accountUnreadable  Code = "account-unreadable"
	accountNoID        Code = "account-without-resource-id"
	accountNoCurrency  Code = "account-without-currency"
	accountNoNumber    Code = "account-without-number"
	ibanNoIBAN         Code = "iban-is-no-iban"
	cardAsAccount      Code = "card-as-current-account"
	cardsApart         Code = "card-accounts-apart"
	withBalanceRefused Code = "with-balance-refused"
	balancesApart      Code = "balances-apart"
	balanceTypes       Code = "balance-types"
	balanceMissing     Code = "balance-missing"

	rowsRefused      Code = "rows-refused"
	rowUnreadable    Code = "row-unreadable"
	bothRefused      Code = "both-refused"
	historyShort     Code = "history-short"
	dateFromIgnored  Code = "date-from-ignored"
	nextElsewhere    Code = "next-link-elsewhere"
	nextRepeats      Code = "next-link-repeats"
	reportDownload   Code = "report-download"
	dateForm         Code = "date-form"
	dateMissing      Code = "booking-date-missing"
	dateGuessed      Code = "date-guessed"
	dateAhead        Code = "booking-date-ahead"
	monthlyBill      Code = "card-booked-monthly"
	idMissing        Code = "row-id-missing"
	idRepeated       Code = "row-id-repeated"
	idPositional     Code = "row-id-positional"
	idChanges        Code = "row-id-changes"
	amountForm       Code = "amount-form"
	foreignAmount    Code = "foreign-amount"
	signInField      Code = "sign-in-field"
	cardSigns        Code = "card-signs-inverted"
	cardSignsUnclear Code = "card-signs-unclear"
	pendingSigns     Code = "pending-signs"
	pendingUnclear   Code = "pending-signs-unclear"
	textElsewhere    Code = "text-elsewhere"
	textMissing      Code = "text-missing"
	namesMissing     Code = "names-missing"
)

// entry is what is the same in all findings of a code.
type entry struct {
	level           Level
	standard, aviso string
}

// openAPI begins a place in the standard's OpenAPI document. A test looks each one up.
const openAPI = "XS2A 1.3.11 (OpenAPI) #/components/"

func catalogue() map[Code]entry {
	const (
		consents    = openAPI + "schemas/consentsResponse-201"
		links       = openAPI + "schemas/_linksConsents"
		account     = openAPI + "schemas/accountDetails"
		row         = openAPI + "schemas/transactions"
		amount      = openAPI + "schemas/amountValue"
		noRetry     = "Nothing can be set. Ask the bank."
		isKept      = "Such rows are kept. "
		idIsContent = "An ID counts only together with the row's content. "
	)
	return map[Code]entry{
		noAnswer: {Blocks, openAPI + "responses/OK_200_AccountList: an answer", "A sync tries five times, then partners " +
			"see SupplierUnavailable. Check the address and that the bank's firewall lets you in."},
		tlsRefused: {Blocks, "Implementation Guidelines, Transport Layer: TLS with the client's certificate (QWAC)",
			"Set the secret with the QWAC that the bank accepts, or have the bank accept yours."},
		ownCertificate: {Blocks, "Implementation Guidelines, Transport Layer: a valid certificate",
			"Mend the certificate or the key. Secrets of a stack are described in docs/rotation.md."},
		serverError: {Blocks, openAPI + "responses/INTERNAL_SERVER_ERROR_500_AIS: a failure of the bank",
			"A sync tries five times. If it stays, ask the bank, with the request ID."},
		rateLimited: {Blocks, openAPI + "responses/TOO_MANY_REQUESTS_429_AIS: ACCESS_EXCEEDED",
			"A sync waits as long as Retry-After says. Repeat the check later, with the same consent."},
		unreadableAnswer: {Blocks, openAPI + "schemas: JSON in the standard's structure", noRetry},
		certificateRefused: {Blocks, openAPI + "responses/UNAUTHORIZED_401_AIS: CERTIFICATE_…",
			"Set the secret with a QWAC that has the role AISP and that the bank accepts."},
		sealWanted: {Blocks, openAPI + "parameters/Signature: if the bank wants signed requests",
			"Requests are signed if the provider names the secret with the QSealC."},
		tokenWanted: {Blocks, "Implementation Guidelines, OAuth2 as pre-step: a token before the consent",
			"Set where the authorization server describes itself (RFC 8414)."},
		clientIDMissing: {Blocks, "Implementation Guidelines, OAuth2: the organizationIdentifier of the QWAC",
			"Set the ID that the bank's portal gave you, or use a QWAC."},
		noPKCE: {Blocks, "Implementation Guidelines, OAuth2; RFC 7636: PKCE with S256", noRetry},
		embeddedOnly: {Blocks, links + ": startAuthorisationWithPsuAuthentication is the embedded approach",
			"Aviso never asks users for their password at a bank. Ask the bank for redirect, OAuth2 or decoupled."},
		psuIDWanted: {Blocks, openAPI + "parameters/PSU-ID: may be required",
			"Users are asked for their ID at the bank if asksPsuId is set."},
		ibansWanted: {Blocks, openAPI + "schemas/accountAccess: a bank may support only named accounts",
			"Users are asked for their IBANs if asksIbans is set."},
		refused: {Blocks, openAPI + "responses/BAD_REQUEST_400_AIS: a message code says why", noRetry},
		consentRefused: {Blocks, openAPI + "schemas/consentStatus: valid", "The user refused, or the authorisation failed. " +
			"Repeat the check."},
		consentNotHonoured: {Blocks, openAPI + "schemas/consentStatus: a valid consent allows reading",
			"Users would have to authorise again and again. " + noRetry},

		allAccountsForm: {Handled, openAPI + "schemas/accountAccess: empty lists let the user choose at the bank",
			"A consent for all accounts is requested instead."},
		consentShorter: {Setting, openAPI + "schemas/validUntil: may be adjusted by the bank",
			"The bank's day counts. Partners see the right length of consents if maxConsentDays has it."},
		readsPerDay: {Handled, openAPI + "schemas/frequencyPerDay: up to 4, or less",
			"Aviso reads four times a day without the user; what is refused is tried again the next day."},
		consentLate: {Handled, openAPI + "schemas/consentStatus: valid once the user has authorised",
			"The page after the bank looks again."},
		consentNotEnded: {Decide, "XS2A 1.3.11 (OpenAPI), DELETE /v1/consents/{consentId}: 204",
			"A deleted connection leaves a consent at the bank until it expires. Tell the bank."},
		noSCAApproach: {Handled, links + ": scaRedirect, scaOAuth or another link leads on",
			"Without a link, the user confirms in the bank's app, and Aviso asks for the consent's status."},
		mediaType: {Handled, openAPI + "responses/OK_200_AccountList: application/json",
			"What begins like JSON is read as JSON."},
		byteOrderMark:    {Handled, "RFC 8259, section 8.1: no byte order mark", "It is dropped."},
		requestIDMissing: {Handled, openAPI + "headers/X-Request-ID: sent back with every answer", "Aviso logs its own."},
		bankClock: {Decide, "RFC 9110, section 6.6.1: Date is the time of the answer",
			"Signed requests carry our time. If the bank refuses them as too old, tell it to set its clock."},
		refusalNoCode: {Handled, openAPI + "responses/BAD_REQUEST_400_AIS: tppMessages with a code",
			"The status decides what a refusal means; an optional part of a request is then left out."},
		headersWanted: {Setting, openAPI + "parameters/PSU-User-Agent: optional, as all headers about the user's device",
			"They are sent while the user is present if the profile names them."},

		noAccounts: {Blocks, openAPI + "schemas/accountList: the accounts of the consent", "There is nothing to read."},
		accountUnreadable: {Lost, account + ": the structure of an account or balance",
			"The others are read. Partners see PartialData with the number of accounts."},
		accountNoID: {Lost, account + ": resourceId leads to its rows", "The account cannot be read and is left out."},
		accountNoCurrency: {Handled, account + ": currency is required",
			"The currency of its balances counts, or else that of its country."},
		accountNoNumber: {Handled, account + ": at least one of iban, bban, pan, maskedPan, msisdn",
			"After a new consent, currency and name recognise the account."},
		ibanNoIBAN: {Handled, openAPI + "schemas/iban: an IBAN", "It becomes the account number; a card number is masked."},
		cardAsAccount: {Handled, openAPI + "schemas/cashAccountType: CARD",
			"Its masked number, name or product makes it a credit card."},
		cardsApart: {Setting, openAPI + "schemas/cardAccountList; links of the consent lead to it",
			"Cards are read if the consent links them, or if the profile says so."},
		withBalanceRefused: {Handled, openAPI + "parameters/withBalanceQuery: may be ignored, not refused",
			"The list is read without it, and balances at their own address."},
		balancesApart: {Handled, openAPI + "parameters/withBalanceQuery: may be ignored",
			"Each account's balances are read at their own address, one call more."},
		balanceTypes: {Decide, openAPI + "schemas/balanceType: closingBooked, expected, …",
			"They come after those of the standard that are booked or expected. Set the order if the wrong one is shown."},
		balanceMissing: {Lost, openAPI + "schemas/balanceList", "The account's balance is 0."},

		rowsRefused: {Lost, openAPI + "responses/OK_200_AccountsTransactions",
			"The other accounts are read; this one is asked for again by each sync."},
		rowUnreadable: {Lost, row + ": transactionAmount is required",
			"The other rows are read. Partners see PartialData with the number of rows."},
		bothRefused: {Handled, openAPI + "parameters/bookingStatusGeneric: both is optional",
			"Only booked rows are read."},
		historyShort: {Setting, openAPI + "parameters/dateFrom; PERIOD_INVALID if it is too early",
			"Only 90, 89 or 30 days are read if more is refused. With maxFetchInterval, all of it is."},
		dateFromIgnored: {Handled, openAPI + "parameters/dateFrom: the first day of the list", "Older rows are kept, too."},
		nextElsewhere: {Handled, openAPI + "schemas/hrefType: a link that the client can follow",
			"Path and query are taken onto baseUrl. The consent's ID is sent nowhere else."},
		nextRepeats:    {Handled, openAPI + "schemas/_linksAccountReport: next leads to the next page", "Reading ends there."},
		reportDownload: {Handled, openAPI + "schemas/_linksDownload: for large reports", "The report is downloaded."},
		dateForm: {Handled, openAPI + "schemas/bookingDate: a date as 2017-10-30",
			"Dates with a time, and those written with dots or slashes, are read."},
		dateMissing: {Handled, openAPI + "schemas/bookingDate: the day on which the row was booked",
			"The value day counts, then the day of payment, then one in the text."},
		dateGuessed: {Decide, row + ": bookingDate, valueDate",
			"The day on which Aviso saw the row first counts, and stays. Set date if another field has it."},
		dateAhead: {Handled, openAPI + "schemas/bookingDate: the day on which the row was booked",
			"The value day counts, then the day of payment, then today."},
		monthlyBill: {Handled, openAPI + "schemas/bookingDate: the day on which the row was booked",
			"The day of payment or the value day counts."},
		idMissing: {Handled, row + ": transactionId and entryReference are optional",
			"Rows are recognised by amount, day and text, and by the balance after them."},
		idRepeated: {Handled, openAPI + "schemas/transactionId: identifies the row", idIsContent},
		idPositional: {Handled, openAPI + "schemas/entryReference: identifies the row", idIsContent +
			"Numbers that shift take over nobody's category."},
		idChanges: {Setting, openAPI + "schemas/transactionId: identifies the row",
			"Rows are recognised by their content, which equal rows do not have. Set the ID that stays."},
		amountForm: {Handled, amount + ": a text with a dot, negative with a minus",
			"Numbers, a comma and a plus sign are read."},
		foreignAmount: {Decide, openAPI + "schemas/amount: in the account's currency, unless it has several",
			"What was billed counts, if the row has it. These rows do not, and stay in the foreign currency."},
		signInField: {Handled, amount + ": negative with a minus", "creditDebitIndicator DBIT makes the amount negative."},
		cardSigns: {Handled, amount + ": negative with a minus, as for an expense",
			"The signs are turned, because the rows' words and codes speak for it. It stays with the account."},
		cardSignsUnclear: {Decide, amount + ": negative with a minus, as for an expense",
			"Nothing in the rows says what they are, so the signs stay. Turn them if these are purchases."},
		pendingSigns: {Handled, amount + ": negative with a minus", "Their words say that they are purchases: they get a minus."},
		pendingUnclear: {Decide, amount + ": negative with a minus",
			"Nothing says that they are purchases, so they count as income. Set it if they are expenses."},
		textElsewhere: {Handled, row + ": remittanceInformationUnstructured",
			"The text is taken from structured fields, additionalInformation or the bank's own code."},
		textMissing: {Lost, row + ": remittanceInformationUnstructured, creditorName",
			isKept + "Their category is unknown, unless a code tells it."},
		namesMissing: {Decide, row + ": creditorName, debtorName",
			"The payee is looked for in the text. If it is among fixed words that the rules do not know, set texts."},
	}
}
