package transaction

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf16"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// reader understands the rows that a bank sends for one account.
type reader struct {
	account  pfm.Account
	profile  pfm.Profile
	bank     string // its name
	patterns []*regexp.Regexp
	// today is the day of the fetch, and latest the last one that has begun somewhere.
	today, latest pfm.Date
	// holders are the names of the account's holder, folded.
	holders map[string]bool
	// unsigned is set if pending purchases have no minus.
	unsigned bool
}

// ReadRows converts the rows of an account. It returns how many cannot be read.
func ReadRows(
	p pfm.Provider, a pfm.Account, sent []pfm.BankTransaction, now time.Time,
) (rows []Transaction, unreadable int) {
	r := &reader{
		account: a, profile: p.Profile, bank: p.Name,
		today: pfm.DateOf(now), latest: pfm.DateOf(now.Add(LatestHours * time.Hour)),
	}
	for _, text := range p.Profile.Texts {
		if pattern, err := regexp.Compile(text); err == nil { // checked when the provider was imported
			r.patterns = append(r.patterns, pattern)
		}
	}
	r.learn(sent)
	for _, b := range sent {
		if b.Currency == "" && r.account.Currency != pfm.MultiCurrency {
			b.Currency = r.account.Currency
		}
		if b.Unreadable || b.Currency == "" {
			unreadable++
			continue
		}
		rows = append(rows, r.read(b))
	}
	return rows, unreadable
}

// LastBalance returns the balance after the last booked row, if the bank says it. Within a day, rows are in any order: a
// row is not the last if another one begins with its balance.
func LastBalance(rows []Transaction, currency string) (money.Amount, bool) {
	var day pfm.Date
	for _, row := range rows {
		if row.State == Cleared {
			day = max(day, row.RecordDate)
		}
	}
	after, before := []money.Amount{}, map[string]bool{}
	for _, row := range rows {
		balance, err := money.Parse(row.BalanceAfter)
		if err != nil || row.State != Cleared || row.RecordDate != day || row.Currency != currency {
			continue
		}
		after = append(after, balance)
		if start, err := balance.Add(row.Amount.Neg()); err == nil {
			before[canonical(start)] = true
		}
	}
	for _, balance := range after {
		if !before[canonical(balance)] {
			return balance, true
		}
	}
	return money.Amount{}, false
}

// learn finds out what only all rows together show.
func (r *reader) learn(sent []pfm.BankTransaction) {
	holders := map[string]bool{} // as they are sent, which is the same in most rows
	negative, purchases := false, 0
	for _, b := range sent {
		theirs, ours := sides(&b)
		if *theirs.name != "" && *ours.name != *theirs.name {
			holders[*ours.name] = true
		}
		if !b.Booked {
			negative = negative || b.Amount.Sign() < 0
			if isPendingPurchase(b) {
				purchases++
			}
		}
	}
	delete(holders, "")
	r.holders = map[string]bool{}
	for name := range holders {
		r.holders[textfold.Name(name)] = true
	}
	r.unsigned = r.profile.PendingSigns == pfm.SignsMissing || r.profile.PendingSigns == "" && !negative && purchases > 0
}

// read converts a row.
func (r *reader) read(b pfm.BankTransaction) Transaction {
	b.Remittance, b.AdditionalInformation = plainText(b.Remittance), plainText(b.AdditionalInformation)
	r.readAmount(&b)
	r.readTexts(&b)
	r.readNames(&b)
	switch r.profile.RowID {
	case pfm.IDTransaction:
		b.EntryReference = ""
	case pfm.IDEntry:
		b.ID = ""
	case pfm.IDNone:
		b.ID, b.EntryReference = "", ""
	}
	t := fromBank(b, r.account, r.today)
	t.RecordDate, t.DayGuessed = r.day(b)
	return t
}

// readAmount sets the amount in the account's currency, negative for an expense.
func (r *reader) readAmount(b *pfm.BankTransaction) {
	if own := r.account.Currency; b.Currency != own && own != pfm.MultiCurrency {
		billed, known := b.Billed, b.BilledCurrency == own
		if m := patterns().billed.FindStringSubmatch(b.Remittance); m != nil && !known {
			amount, err := money.Parse(strings.Replace(strings.TrimPrefix(m[1], "+"), ",", ".", 1))
			if err == nil {
				billed, known = amount, true
				b.Remittance = strings.TrimSpace(strings.Replace(b.Remittance, m[0], "", 1))
			}
		}
		if known {
			if b.Amount.Sign() < 0 && billed.Sign() > 0 {
				billed = billed.Neg()
			}
			b.Amount, b.Currency = billed, own
		}
	}
	isUnsigned := !b.Booked && b.Amount.Sign() > 0 && r.unsigned &&
		(r.profile.PendingSigns == pfm.SignsMissing || isPendingPurchase(*b))
	if r.account.SignsInverted || isUnsigned {
		b.Amount = b.Amount.Neg()
	}
}

// isPendingPurchase reports whether a pending row is that of a purchase, whatever its sign:
// its words or code say so, or it names only who gets the money.
func isPendingPurchase(b pfm.BankTransaction) bool {
	namesOnlyPayee := b.CreditorName != "" && b.DebtorName == ""
	return namesOnlyPayee || beginsWith(b.Remittance, purchaseWords) || cardKind(b) == isPurchase
}

// party is one side of a row, as the bank sends it.
type party struct{ name, account, ultimate *string }

// sides returns the counterparty and the account's holder.
func sides(b *pfm.BankTransaction) (theirs, ours party) {
	creditor := party{&b.CreditorName, &b.CreditorAccount, &b.UltimateCreditor}
	debtor := party{&b.DebtorName, &b.DebtorAccount, &b.UltimateDebtor}
	if b.Amount.Sign() > 0 {
		return debtor, creditor
	}
	return creditor, debtor
}

// readNames makes the counterparty's name that of whom the user knows.
func (r *reader) readNames(b *pfm.BankTransaction) {
	theirs, ours := sides(b)
	own := func(p party) bool { return *p.account != "" && *p.account == r.account.IBAN }
	isOther := *ours.name != "" && *ours.name != *theirs.name && !own(ours)
	switch {
	case own(theirs) && isOther: // the sides are exchanged
		*theirs.name, *theirs.account = *ours.name, *ours.account
	case own(theirs) && b.Remittance != "":
		*theirs.name, *theirs.account = "", ""
	case *theirs.name == "" && isOther && !r.holders[textfold.Name(*ours.name)]:
		*theirs.name, *theirs.account = *ours.name, cmp.Or(*theirs.account, *ours.account)
	}
	if last := *theirs.ultimate; last != "" && !r.holders[textfold.Name(last)] {
		*theirs.name = last
		if b.Remittance != "" && !strings.Contains(textfold.Name(b.Remittance), textfold.Name(last)) {
			b.Remittance = last + " " + b.Remittance
		}
	}
	if b.Remittance != "" && strings.EqualFold(*theirs.name, r.bank) {
		*theirs.name = "" // the bank itself, for all payments by card
	}
}

// readTexts finds the text that says most.
func (r *reader) readTexts(b *pfm.BankTransaction) {
	theirs, _ := sides(b)
	for _, pattern := range r.patterns {
		m := pattern.FindStringSubmatch(b.Remittance)
		if m == nil {
			continue
		}
		for i, group := range pattern.SubexpNames() {
			switch {
			case group == "payee" && m[i] != "":
				*theirs.name = m[i]
			case group == "note" && m[i] != "":
				b.Remittance = m[i]
			}
		}
		break
	}
	if !saysSomething(b.Remittance) {
		b.Remittance = strings.TrimSpace(b.AdditionalInformation + " " + b.Remittance)
		if *theirs.name != "" && patterns().technical.MatchString(b.Remittance) {
			b.Remittance, b.AdditionalInformation = "", "" // the name says more
		}
	}
	isNameless := b.CreditorName == "" && b.DebtorName == "" && b.UltimateCreditor == "" && b.UltimateDebtor == ""
	if b.Remittance == "" && isNameless && saysSomething(b.ProprietaryBankTransactionCode) {
		b.Remittance = b.ProprietaryBankTransactionCode
	}
}

// saysSomething reports whether a text is more than a reference.
func saysSomething(text string) bool {
	letters := 0
	for _, r := range text {
		if !strings.ContainsRune("0123456789 .,:;/-+_*#", r) {
			letters++
		}
		if letters > 2 {
			return true
		}
	}
	return false
}

// textPatterns are expressions on the texts of banks.
type textPatterns struct{ billed, clutter, day, escaped, technical *regexp.Regexp }

// patterns compiles the expressions with the first row, since most functions that link
// this package read none.
var patterns = sync.OnceValue(func() textPatterns {
	return textPatterns{
		// What an account was billed.
		billed: regexp.MustCompile(`(?i)\bbilling ?amount:? *([+-]?\d+(?:[.,]\d{1,2})?)(?: ?[A-Z]{3}\b)?`),
		// Lines, fields and missing values.
		clutter: regexp.MustCompile(`(?i)%nl%|<br ?/?>|/Txt/(?:\w\|)?|` +
			`^mandatereference:[^,]*,creditorid:[^,]*,remittanceinformation:|` +
			`(?:,? ?\bend-?to-?end[- ]?[a-z]*\.?: ?)?\bnot ?provided\b`),
		day: regexp.MustCompile(`\b(?:\d{4}-\d\d-\d\d|\d\d[./-]\d\d[./-](?:\d{4}|\d\d))\b`),
		// Nothing but UUIDs and dashes.
		technical: regexp.MustCompile(`^(?:[0-9A-Fa-f]{8}(?:-?[0-9A-Fa-f]{4}){3}-?[0-9A-Fa-f]{12}|[-\s])+$`),
		escaped:   regexp.MustCompile(`(?:\\U(?:000[0-9A-Fa-f]{5}|[0-9A-Fa-f]{4}))+`),
	}
})

// plainText returns a text without what is not text in it.
func plainText(s string) string {
	if s == "" {
		return ""
	}
	if strings.Contains(s, `\U`) {
		s = strings.Map(visible, patterns().escaped.ReplaceAllStringFunc(s, unescaped))
	}
	folded := strings.ToLower(s)
	for _, part := range []string{"%nl%", "<br", "/txt/", "mandatereference:", "provided"} {
		if strings.Contains(folded, part) {
			return strings.Join(strings.Fields(patterns().clutter.ReplaceAllString(s, " ")), " ")
		}
	}
	return s
}

// unescaped returns the characters that are written as \Uxxxx, some of them in two halves.
func unescaped(s string) string {
	var text []rune
	for code := range strings.SplitSeq(s[len(`\U`):], `\U`) {
		n, err := strconv.ParseInt(code, 16, 32)
		if err != nil { // not expected: the pattern has found hexadecimal digits
			return s
		}
		r := rune(n)
		if last := len(text) - 1; last >= 0 && utf16.IsSurrogate(text[last]) {
			r, text = utf16.DecodeRune(text[last], r), text[:last]
		}
		text = append(text, r)
	}
	return string(text)
}

// visible drops what banks could hide in escapes.
func visible(r rune) rune {
	if unicode.IsGraphic(r) {
		return r
	}
	return -1
}

// purchaseWords begin the text of a purchase in the languages of banks, folded.
var purchaseWords = []string{
	"αγορα", "purchase", "achat", "compra", "acquisto", "kauf", "einkauf", "kob", "kop", "kjop", "osto", "zakup",
	"nakup", "vasarlas", "pirkums", "pirkimas", "ost", "aankoop",
}

// beginsWith reports whether the first word of a text is one of these.
func beginsWith(text string, words []string) bool {
	first, _, _ := strings.Cut(textfold.Name(text), " ")
	return slices.Contains(words, first)
}
