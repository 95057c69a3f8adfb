package bankcheck_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Scenario is what a bank sends in consecutive fetches, as banks really are, and what a user wants
// to see at the end. A Bank speaks XS2A for it.
//
// bank-quirks.json and bank-quirks-4.json were given to the project, with their format; the other files in
// testdata/quirks hold its own scenarios. They have three members more: country and profile are those of the
// provider, and bank_does has the members of Manner.
type Scenario struct {
	Name     string          `json:"name"`
	Area     string          `json:"area"`
	Bank     string          `json:"bank"`
	Source   string          `json:"source"`
	What     string          `json:"what"`
	Country  string          `json:"country"`
	Profile  json.RawMessage `json:"profile"`
	BankDoes Manner          `json:"bank_does"`
	// Aggregator: the bank is read through Enable Banking.
	Aggregator bool    `json:"aggregator"`
	Fetches    []Fetch `json:"fetches"`
	Expect     Expect  `json:"expect"`
	Categorise *struct {
		After  int    `json:"after"`
		Amount string `json:"amount"`
	} `json:"categorise"`
}

// Manner is how a bank's server differs from the standard.
type Manner struct {
	// Next is how pages are linked: absolute, other-host, other-prefix, or relative by default.
	Next string `json:"next"`
	// Both is the refusal of bookingStatus=both: refused, refused-bare, or a status and a code.
	Both string `json:"both"`
	// Balances: own-address if the list of accounts has none, and links to none.
	Balances string `json:"balances"`
	// Consent: psu-id, psu-id-oauth, late or start.
	Consent string `json:"consent"`
	// History is the refusal of a dateFrom before HistoryDays, as a status and a code.
	History     string `json:"history"`
	HistoryDays int    `json:"history_days"`
	// DateFrom: honoured if rows before it are left out.
	DateFrom string `json:"date_from"`
	// ContentType replaces that of JSON.
	ContentType string `json:"content_type"`
	// Download: the answer only links the report.
	Download bool `json:"download"`
	// WithBalance is the refusal of withBalance=true, as a status and a code.
	WithBalance string `json:"with_balance"`
	// HistoryAnswer is the refusal of a dateFrom before HistoryDays in the bank's own form.
	HistoryAnswer *Answer `json:"history_answer"`
	// Once has answers to the first requests, by method and path.
	Once map[string]Answer `json:"once"`
	// Accept: single if rows answer 406 to a list of media types. Refuses is a header with which they answer 400.
	Accept  string `json:"accept"`
	Refuses string `json:"refuses"`
	// ValidUntil is the day to which the bank cuts consents, as an offset. LongestConsent is how many seconds an
	// aggregator's consent may last, by a clock five seconds behind.
	ValidUntil     string `json:"valid_until"`
	LongestConsent int    `json:"longest_consent"`
}

// Object is a JSON object as the bank sends it, with its days still relative.
type Object map[string]any

// Page is one page of rows. Next: self or first, if it leads there.
type Page struct {
	Booked      []any  `json:"booked"`
	Pending     []any  `json:"pending"`
	Information []any  `json:"information"`
	Next        string `json:"next"`
}

// Pages are the pages of an account, in their order. An aggregator has them by their continuation keys.
type Pages struct {
	InOrder []Page
	ByKey   map[string]Object
}

// UnmarshalJSON reads either form.
func (p *Pages) UnmarshalJSON(b []byte) error {
	if b[0] == '{' {
		return json.Unmarshal(b, &p.ByKey)
	}
	return json.Unmarshal(b, &p.InOrder)
}

// Answer replaces what the bank would answer. Its form is [status, code or text, {headers}] or
// [status, media type, text].
type Answer struct {
	Status     int
	Type, Text string
	Header     map[string]string
}

// UnmarshalJSON reads either form.
func (a *Answer) UnmarshalJSON(b []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	into := []any{&a.Status, &a.Text, &a.Header}
	if len(parts) == 3 && parts[2][0] == '"' {
		into = []any{&a.Status, &a.Type, &a.Text}
	}
	for i, part := range parts {
		if err := json.Unmarshal(part, into[i]); err != nil {
			return err
		}
	}
	return nil
}

// Statement is what a bank sends for one account.
type Statement struct {
	Account  Object `json:"account"`
	Balances []any  `json:"balances"`
	Page
	Pages Pages `json:"pages"`
	// RefuseRows and RefuseBalances are refusals, as a status and a code.
	RefuseRows     string `json:"refuse_rows"`
	RefuseBalances string `json:"refuse_balances"`
	// Refused and PageAnswer are answers to what is asked of the account, and for a page.
	Refused struct {
		Balances     *Answer `json:"balances"`
		Transactions *Answer `json:"transactions"`
	} `json:"refused"`
	PageAnswer map[string]Answer `json:"page_answer"`
}

// Fetch is what the bank sends during one sync.
type Fetch struct {
	Statement
	Accounts []Statement `json:"accounts"`
	// Reconnect: the user gives a new consent before it.
	Reconnect bool `json:"reconnect"`
	// Abandon: a renewal is begun before it and never authorised. Again: the user connects the bank once more.
	Abandon bool `json:"abandon"`
	Again   bool `json:"again"`
	// EndsConsent is the state that all consents get before it.
	EndsConsent string `json:"ends_consent"`
	// AccountsAnswer is the answer to the request for the accounts.
	AccountsAnswer *Answer `json:"accounts_answer"`
	// Fails: the sync need not succeed. Insist: the refresh must be accepted.
	Fails  bool `json:"fails"`
	Insist bool `json:"insist"`
}

// Expect is what a user wants to see.
type Expect struct {
	Live        *int     `json:"live"`
	Accounts    *int     `json:"accounts"`
	Balance     string   `json:"balance"`
	AccountType string   `json:"accountType"`
	IBAN        *string  `json:"iban"`
	Partial     *bool    `json:"partial"`
	Status      []string `json:"status"`
	Reason      []string `json:"reason"`
	Names       []string `json:"names"`
	Currencies  []string `json:"currencies"`
	IBANs       []string `json:"ibans"`
	// ConsentUntil is the day on which the consent ends.
	ConsentUntil string         `json:"consent_until"`
	Rows         []Row          `json:"rows"`
	Quiet        []int          `json:"quiet"`
	After        map[int]Expect `json:"after"`
}

// Row is a wanted transaction.
type Row struct {
	Amount      string   `json:"amount"`
	Currency    string   `json:"currency"`
	State       string   `json:"state"`
	Date        []string `json:"date"`
	Has         string   `json:"has"`
	Not         string   `json:"not"`
	Merchant    string   `json:"merchant"`
	Account     string   `json:"account"`
	Kept        *int     `json:"kept"`
	Was         string   `json:"was"`
	Fresh       bool     `json:"fresh"`
	Categorised *bool    `json:"categorised"`
}

// scenarios returns those of the files that -corpus names.
func scenarios(t *testing.T) (all []Scenario) {
	t.Helper()
	names, err := filepath.Glob("testdata/quirks/" + *corpus)
	require.NoError(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		var some []Scenario
		require.NoError(t, json.Unmarshal(text, &some), name)
		all = append(all, some...)
	}
	return all
}

var (
	bareDay = regexp.MustCompile(`^D([+-]\d+)?$`)
	textDay = regexp.MustCompile(`\{D([+-]\d+)?(?:\|([^}]*))?\}`)
)

// resolveDay returns the day that an offset such as -3 means, in a layout of strftime.
func resolveDay(d time.Time, offset, format string) string {
	n, _ := strconv.Atoi(offset)
	layout := time.DateOnly
	if format != "" {
		layout = strings.NewReplacer("%Y", "2006", "%y", "06", "%m", "01", "%d", "02").Replace(format)
	}
	return d.AddDate(0, 0, n).Format(layout)
}

// resolve replaces relative days. A day that is a whole value is in members that
// are dates only, because texts may be the letter D.
func resolve(value any, name string, d time.Time) any {
	switch v := value.(type) {
	case string:
		if m := bareDay.FindStringSubmatch(v); m != nil && strings.HasSuffix(strings.ToLower(name), "date") {
			return resolveDay(d, m[1], "")
		}
		return textDay.ReplaceAllStringFunc(v, func(s string) string {
			m := textDay.FindStringSubmatch(s)
			return resolveDay(d, m[1], m[2])
		})
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = resolve(v[i], name, d)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, member := range v {
			object[key] = resolve(member, key, d)
		}
		return object
	case Object:
		return resolve(map[string]any(v), name, d)
	default:
		return value
	}
}
