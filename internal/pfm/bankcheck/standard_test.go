package bankcheck

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every place of the standard that a finding names exists in its OpenAPI document.
func TestTheStandardHasWhatFindingsName(t *testing.T) {
	document, err := os.ReadFile("../../sandbox/bank/testdata/berlin-group-xs2a-1.3.11.yaml")
	require.NoError(t, err)
	places := map[string]bool{}
	section := ""
	for line := range strings.Lines(string(document)) {
		line = strings.TrimRight(line, " \r\n")
		name, isKey := strings.CutSuffix(strings.TrimLeft(line, " "), ":")
		switch indent := len(line) - len(strings.TrimLeft(line, " ")); {
		case isKey && indent == 2:
			section = name
			places[section] = true
		case isKey && indent == 4:
			places[section+"/"+name] = true
		}
	}
	place := regexp.MustCompile(`#/components/([A-Za-z0-9_/-]+)`)
	for code, known := range catalogue() {
		assert.Contains(t, levels(), known.level, code)
		assert.NotEmpty(t, known.standard, code)
		assert.NotEmpty(t, known.aviso, code)
		for _, found := range place.FindAllStringSubmatch(known.standard, -1) {
			assert.True(t, places[found[1]], "%s: %s", code, found[1])
		}
	}
}
