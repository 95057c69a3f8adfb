package bank

// These are the bodies of the standard, as far as this bank fills them.

type link struct {
	Href string `json:"href"`
}

type links map[string]link

type accountDetails struct {
	ResourceID      string    `json:"resourceId"`
	IBAN            string    `json:"iban,omitempty"`
	MaskedPAN       string    `json:"maskedPan,omitempty"`
	Currency        string    `json:"currency"`
	OwnerName       string    `json:"ownerName,omitempty"`
	Name            string    `json:"name"`
	Product         string    `json:"product"`
	CashAccountType string    `json:"cashAccountType"`
	Status          string    `json:"status"`
	Usage           string    `json:"usage"`
	Balances        []balance `json:"balances,omitempty"`
	Links           links     `json:"_links"`
}

type amount struct {
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
}

type balance struct {
	BalanceAmount       amount `json:"balanceAmount"`
	BalanceType         string `json:"balanceType"`
	CreditLimitIncluded bool   `json:"creditLimitIncluded"`
	ReferenceDate       string `json:"referenceDate"`
}

type transactionReport struct {
	Account      Reference     `json:"account"`
	Transactions accountReport `json:"transactions"`
	Balances     []balance     `json:"balances,omitempty"`
}

type accountReport struct {
	// Nil lists were not requested.
	Booked  []transaction `json:"booked,omitzero"`
	Pending []transaction `json:"pending,omitzero"`
	Links   links         `json:"_links"`
}

type transaction struct {
	TransactionID                     string            `json:"transactionId,omitempty"`
	EntryReference                    string            `json:"entryReference,omitempty"`
	EndToEndID                        string            `json:"endToEndId,omitempty"`
	MandateID                         string            `json:"mandateId,omitempty"`
	CreditorID                        string            `json:"creditorId,omitempty"`
	BookingDate                       string            `json:"bookingDate,omitempty"`
	ValueDate                         string            `json:"valueDate,omitempty"`
	TransactionAmount                 amount            `json:"transactionAmount"`
	CurrencyExchange                  []exchangeRate    `json:"currencyExchange,omitempty"`
	CreditorName                      string            `json:"creditorName,omitempty"`
	CreditorAccount                   *Reference        `json:"creditorAccount,omitempty"`
	DebtorName                        string            `json:"debtorName,omitempty"`
	DebtorAccount                     *Reference        `json:"debtorAccount,omitempty"`
	RemittanceInformationUnstructured string            `json:"remittanceInformationUnstructured,omitempty"`
	RemittanceInformationStructured   *structuredRemark `json:"remittanceInformationStructured,omitempty"`
	PurposeCode                       string            `json:"purposeCode,omitempty"`
	BankTransactionCode               string            `json:"bankTransactionCode,omitempty"`
	ProprietaryBankTransactionCode    string            `json:"proprietaryBankTransactionCode,omitempty"`
	MerchantCategoryCode              string            `json:"merchantCategoryCode,omitempty"`
}

type structuredRemark struct {
	Reference     string `json:"reference"`
	ReferenceType string `json:"referenceType"`
}

type exchangeRate struct {
	SourceCurrency string `json:"sourceCurrency"`
	ExchangeRate   string `json:"exchangeRate"`
	UnitCurrency   string `json:"unitCurrency"`
	TargetCurrency string `json:"targetCurrency"`
	QuotationDate  string `json:"quotationDate"`
}
