package contract_test

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/enrich"
	"aviso/internal/pfm/transaction"
)

// stream is a line of testdata/strangers.csv: payments to one party, and how they deviate.
type stream struct {
	user, country, party, note, every string
	amount                            float64
	start, count, day                 int
	// contract is how often the contract is paid; empty if the payments are for none.
	contract transaction.Frequency
	quirks   map[string]string
}

func strangers(t *testing.T) []stream {
	t.Helper()
	f, err := os.Open("testdata/strangers.csv")
	require.NoError(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	var all []stream
	for _, c := range lines[1:] {
		s := stream{
			user: c[0], country: c[1], party: c[2], note: c[3], every: c[5], start: number(c[6]), count: number(c[7]), day: number(c[8]),
			contract: transaction.Frequency(c[9]), quirks: map[string]string{},
		}
		s.amount, err = strconv.ParseFloat(c[4], 64)
		require.NoError(t, err)
		for quirk := range strings.SplitSeq(c[10], ";") {
			name, value, _ := strings.Cut(quirk, "=")
			s.quirks[name] = value
		}
		all = append(all, s)
	}
	return all
}

// from returns the value of a quirk that has another from a payment on: "M1|7:M2".
func (s *stream) from(quirk string, payment int) string {
	before, after, changes := strings.Cut(s.quirks[quirk], "|")
	if at, value, ok := strings.Cut(cmp.Or(after, before), ":"); ok {
		if n, _ := strconv.Atoi(at); payment >= n {
			return value
		}
		if !changes {
			return ""
		}
	}
	return before
}

// chance returns a number from 0 to n-1 that is the same in every run.
func (s *stream) chance(what string, payment, n int) int {
	return int(crc32.ChecksumIEEE(fmt.Appendf(nil, "%s %s %s %d", s.user, s.note, what, payment)) % uint32(n))
}

// rows returns the stream's payments. Those that fail are returned and tried again.
func (s *stream) rows(number int) []transaction.Transaction {
	n, _ := strconv.Atoi(s.every[:len(s.every)-1])
	var rows []transaction.Transaction
	for k := range s.count {
		if slices.Contains(strings.Split(s.quirks["skip"], "|"), strconv.Itoa(k)) {
			continue
		}
		day := s.day
		if other := s.from("day", k); other != "" {
			day, _ = strconv.Atoi(other)
		}
		at := time.Date(2024, time.Month(1+s.start+n*k), day, 0, 0, 0, 0, time.UTC)
		if strings.HasSuffix(s.every, "w") {
			at = time.Date(2024, 1, day+7*n*k, 0, 0, 0, 0, time.UTC)
		}
		if jitter, _ := strconv.Atoi(s.quirks["jitter"]); jitter > 0 {
			at = at.AddDate(0, 0, s.chance("day", k, 2*jitter+1)-jitter)
		}
		if _, ok := s.quirks["weekend"]; ok {
			for at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
				at = at.AddDate(0, 0, 1)
			}
		}
		amount := s.amount
		if other := s.from("price", k); other != "" {
			amount, _ = strconv.ParseFloat(other, 64)
		}
		if vary, _ := strconv.Atoi(s.quirks["vary"]); vary > 0 {
			amount *= 1 + float64(s.chance("amount", k, 2*vary+1)-vary)/100
		}
		add := func(at time.Time, amount float64, note string) {
			id := fmt.Sprintf("%d/%d/%d", number, k, len(rows))
			rows = append(rows, transaction.Transaction{
				ID: id, AccountID: "account", RecordDate: pfm.DateOf(at), State: transaction.Cleared, Currency: "EUR",
				Amount: money.MustParse(fmt.Sprintf("%.2f", amount)), Counterparty: s.party, Note: note,
				MandateID: s.from("mandate", k),
			})
		}
		invoice := strconv.Itoa(100000 + s.chance("number", k, 900000))
		fill := strings.NewReplacer("{n}", invoice, "{mon}", at.Format("01/2006"), "{d}", at.Format("02/01"),
			"{MON}", strings.ToUpper(at.Format("Jan")), "{u}", "4"+s.user+"7")
		note := fill.Replace(s.note)
		add(at, amount, note)
		if s.quirks["failed"] == strconv.Itoa(k) {
			add(at.AddDate(0, 0, 2), -amount, "RETURN "+note)
			add(at.AddDate(0, 0, 9), amount, note)
		}
	}
	return rows
}

// TestContractsOfStrangers holds the finder to 60 users' years, which somebody made from how
// banks write, without looking at its rules. docs/enrichment.md has the figures.
func TestContractsOfStrangers(t *testing.T) {
	streams := strangers(t)
	expected, recall, precision := measure(t, streams, 60)
	assert.GreaterOrEqual(t, precision, 0.97)
	assert.GreaterOrEqual(t, recall, 0.95)
	page, err := os.ReadFile("../../../docs/enrichment.md")
	require.NoError(t, err)
	said := regexp.MustCompile(`it\s+finds\s+(\S+) %\s+of\s+(\d+)\s+contracts, and (\S+) %\s+of`).FindStringSubmatch(string(page))
	require.Len(t, said, 4)
	assert.Equal(t, []string{fmt.Sprintf("%.1f", 100*recall), strconv.Itoa(expected), fmt.Sprintf("%.1f", 100*precision)}, said[1:])
}

// measure compares the contracts that the finder finds with those of the streams.
func measure(t *testing.T, streams []stream, n int) (expected int, recall, precision float64) {
	t.Helper()
	users := map[string][]int{}
	for i, s := range streams {
		users[s.user] = append(users[s.user], i)
	}
	require.Len(t, users, n)
	found, right := 0, 0
	for user, mine := range users {
		var changes []transaction.RowChange
		paid := map[int]int{}
		for _, i := range mine {
			for _, row := range streams[i].rows(i) {
				changes = append(changes, transaction.RowChange{New: enrich.Transaction(row, streams[i].country)})
				paid[i] += 1 - max(0, row.Amount.Sign()) // not what was returned
			}
			expected += min(1, len(streams[i].contract))
		}
		slices.SortStableFunc(changes, func(a, b transaction.RowChange) int { return cmp.Compare(a.New.RecordDate, b.New.RecordDate) })
		records := map[contract.GroupID]*contract.Record{}
		for id := range contract.Touched(changes) {
			records[id] = &contract.Record{}
		}
		contract.Apply(records, changes)
		known := map[int]bool{}
		for _, r := range records {
			list, err := r.Subscriptions()
			require.NoError(t, err)
			for _, c := range list {
				found++
				of := map[int]int{}
				for _, id := range c.TransactionIDs {
					number, _, _ := strings.Cut(id, "/")
					i, _ := strconv.Atoi(number)
					of[i]++
				}
				isRight := false
				for i, n := range of {
					s := streams[i]
					// A group holds the latest 24 payments, which two contracts may share.
					if s.contract == c.Frequency && !known[i] && 10*n >= 8*len(c.TransactionIDs) && 10*n >= 6*min(paid[i], 12) {
						known[i], isRight = true, true
						right++
					}
				}
				if !isRight {
					t.Logf("user %s: %s %s %s, from %v", user, c.Merchant.Name, c.Amount, c.Frequency, of)
				}
			}
		}
		for _, i := range mine {
			if s := streams[i]; s.contract != "" && !known[i] {
				t.Logf("user %s: missing %s %.2f %s %v (%d)", user, s.party, s.amount, s.contract, s.quirks, i)
			}
		}
	}
	recall, precision = float64(right)/float64(expected), float64(right)/float64(found)
	t.Logf("%d contracts, %d found, %d right: precision %.1f %%, recall %.1f %%", expected, found, right, 100*precision, 100*recall)
	return expected, recall, precision
}
