package cataloguefile_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/sandbox"
)

// Partners run the patterns of templates in their own engines. Each must compile in them, and
// accept the same texts as here.
func TestPatternsMeanTheSameInEveryEngine(t *testing.T) {
	texts := []string{
		"", "a", "Ab1", "12345678", "AB-12 34", "49 221 555001-23", "(0221) 5", "a.b@example.com", "[x]{y}|z/", "true", "Łódź", "Дима",
		"李雷", "أحمد", "١٢٣", "a\n", "\u2028", "x" + strings.Repeat("y", 299), strings.Repeat("y", 301), "^$\\", "a b", "a\u00a0b", "DE-AB 12",
	}
	patterns := []string{catalogue.Field{}.Pattern(), catalogue.Field{Format: `^[-\w.\s(){}/|[\]]{0,9}$`}.Pattern()}
	for _, format := range catalogue.StandardFormats {
		patterns = append(patterns, catalogue.Field{Format: format}.Pattern())
	}
	catalogue, err := cataloguefile.Parse(bytes.NewReader(sandbox.Catalogue()))
	require.NoError(t, err)
	for _, entry := range catalogue.Entries {
		for _, product := range entry.Products {
			for _, field := range product.Fields {
				patterns = append(patterns, field.Pattern())
			}
		}
	}
	slices.Sort(patterns)
	patterns = slices.Compact(patterns)
	input, err := json.Marshal(map[string]any{"patterns": patterns, "texts": texts})
	require.NoError(t, err)
	want := make([][]bool, len(patterns))
	for i, pattern := range patterns {
		re, err := regexp.Compile(pattern)
		require.NoError(t, err)
		for _, text := range texts {
			want[i] = append(want[i], re.MatchString(text))
		}
	}
	for name, command := range map[string][]string{
		"ECMAScript": {"node", "-e", `const i=JSON.parse(require("fs").readFileSync(0));console.log(JSON.stringify(i.patterns.map(
			p=>i.texts.map(t=>["","u","v"].map(f=>new RegExp("^(?:"+p+")$",f).test(t)).reduce((a,b)=>a===b?a:"differ")))))`},
		"Python": {"python3", "-c", `import json,re,sys;i=json.load(sys.stdin)
print(json.dumps([[bool(re.fullmatch(p,t)) for t in i["texts"]] for p in i["patterns"]]))`},
	} {
		t.Run(name, func(t *testing.T) {
			run := exec.CommandContext(t.Context(), command[0], command[1:]...)
			run.Stdin = strings.NewReader(string(input))
			out, err := run.Output()
			require.NoError(t, err)
			var got [][]bool
			require.NoError(t, json.Unmarshal(out, &got), string(out))
			for i := range patterns {
				assert.Equal(t, want[i], got[i], patterns[i])
			}
		})
	}
}
