package main

import (
	"encoding/json"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const checkout = "../.."

// block is a piece of code in a page. The comment before a block of commands says what
// a test does with it:
//
//	<!-- quickstart -->                the first hour, which comes first; or as below
//	<!-- paste -->                     pasted; further lines in the comment are run before it
//	<!-- not pasted: the reason -->
type block struct {
	page, language, mark, code string
}

var fenced = regexp.MustCompile("(?s)(?:<!-- ((?:quickstart|paste|not pasted).*?) ?-->\n *)?```([a-z]*)\n(.*?\n) *```\n")

// blocks returns the code in all pages.
func blocks(t *testing.T) []block {
	t.Helper()
	texts := pages(t)
	var all []block
	for _, page := range slices.Sorted(maps.Keys(texts)) {
		for _, found := range fenced.FindAllStringSubmatch(texts[page], -1) {
			all = append(all, block{page: page, mark: found[1], language: found[2], code: found[3]})
		}
	}
	return all
}

func TestCodeInPages(t *testing.T) {
	t.Parallel()
	indent := func(code string) string { return strings.ReplaceAll("\n"+code, "\n", "\n\t") }
	// How to parse a language: a command, and what it gets.
	parsers := map[string]func(code string) (*exec.Cmd, string){
		"sh": func(code string) (*exec.Cmd, string) { return exec.CommandContext(t.Context(), "bash", "-n"), code },
		"go": func(code string) (*exec.Cmd, string) {
			return exec.CommandContext(t.Context(), "gofmt"), "package p\nfunc f() {" + indent(code) + "\n}\n"
		},
		"js": func(code string) (*exec.Cmd, string) {
			return exec.CommandContext(t.Context(), "node", "--check", "-"), "function f() {" + indent(code) + "\n}\n"
		},
		"python": func(code string) (*exec.Cmd, string) {
			parse := "import ast, sys; ast.parse(sys.stdin.read())"
			return exec.CommandContext(t.Context(), "python3", "-c", parse), "def f():" + indent(code)
		},
	}
	for _, b := range blocks(t) {
		if b.language == "sh" {
			assert.NotEmpty(t, b.mark, "%s does not say whether this is pasted:\n%s", b.page, b.code)
			assert.NotRegexp(t, `^not pasted:? *$`, b.mark, "%s gives no reason why this is not pasted:\n%s", b.page, b.code)
		}
		if b.language == "json" {
			assert.True(t, json.Valid([]byte(b.code)), "%s: not JSON:\n%s", b.page, b.code)
		}
		if parser, ok := parsers[b.language]; ok {
			command, input := parser(b.code)
			command.Stdin = strings.NewReader(input)
			complaints, err := command.CombinedOutput()
			assert.NoError(t, err, "%s: %s\n%s", b.page, complaints, b.code)
		}
	}
}

// pasted returns one script of all that pages say to paste, the quickstart first, for a
// stack at this address. Guides continue where it ends; other pages may start over.
func pasted(t *testing.T, url, dataDir string) string {
	t.Helper()
	root, err := filepath.Abs(checkout)
	require.NoError(t, err)
	var script strings.Builder
	listenPort := strconv.Itoa(freePort(t))
	script.WriteString("export BASE_URL=" + url + " DATA_DIR=" + dataDir + " CHECKOUT=" + root + " LISTEN_PORT=" + listenPort + "\n" +
		"make() { command make --no-print-directory -C $CHECKOUT \"$@\"; }\n")
	all := blocks(t)
	for _, mark := range []string{"quickstart", "paste"} {
		for _, folder := range []string{"docs/guides", "docs", "."} {
			for _, b := range all {
				if setUp, is := strings.CutPrefix(b.mark, mark); is && path.Dir(b.page) == folder {
					script.WriteString("echo '=== " + b.page + "'\n" + setUp + "\n" + b.code)
				}
			}
		}
	}
	return strings.NewReplacer("http://localhost:3000", url, "127.0.0.1:8080", "127.0.0.1:"+listenPort,
		".data/", dataDir+"/").Replace(script.String())
}
