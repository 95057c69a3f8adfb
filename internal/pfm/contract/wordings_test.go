package contract_test

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm/transaction"
)

// realUsers returns 40 users, each with some of the payments of testdata/wordings.csv. The
// lines there have the wording of real banks, which often name nobody and no mandate.
func realUsers(t *testing.T) []stream {
	t.Helper()
	f, err := os.Open("testdata/wordings.csv")
	require.NoError(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	countries := strings.Fields("FR GB DE ES NL FR GB DE NO DK SE IT BE AT PT FI CH CZ FR GB")
	var all []stream
	for u := range 40 {
		user := strconv.Itoa(u + 1)
		for _, c := range lines[1:] {
			s := stream{user: user, country: c[0], party: c[1], note: c[2], every: c[4], contract: transaction.Frequency(c[6])}
			if c[0] != countries[u%len(countries)] || s.chance("has", 0, 10) >= 7 {
				continue
			}
			amount, err := strconv.ParseFloat(c[3], 64)
			require.NoError(t, err)
			s.count, err = strconv.Atoi(c[5])
			require.NoError(t, err)
			s.start, s.day = s.chance("start", 0, 6), 1+s.chance("day", 0, 28)
			s.quirks = map[string]string{}
			for quirk := range strings.SplitSeq(strings.ReplaceAll(c[7], "{u}", user), ";") {
				name, value, _ := strings.Cut(quirk, "=")
				s.quirks[name] = value
			}
			if s.quirks["price"] == "" {
				amount *= 0.8 + float64(s.chance("amount", 0, 50))/100
			}
			s.amount = amount
			all = append(all, s)
		}
	}
	return all
}

func TestContractsInRealWording(t *testing.T) {
	_, recall, precision := measure(t, realUsers(t), 40)
	assert.GreaterOrEqual(t, precision, 0.97)
	assert.GreaterOrEqual(t, recall, 0.90)
}
