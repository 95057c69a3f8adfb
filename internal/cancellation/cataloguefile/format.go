package cataloguefile

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/jsonschema"
)

// A format is a regular expression that partners run in an engine of their choice. So it may only use syntax that
// RE2, ECMAScript (with and without the u flag) and Python's re read the same way, and that is fast in all of them:
//
//   - It begins with ^ and ends with $, and contains neither anywhere else.
//   - Between them it may use characters, classes, the dot, groups ( ) and (?: ),
//     alternatives inside a group, and the quantifiers ? * + {n} {n,} {n,m}. Each
//     quantifier follows what it repeats, and there is only one each.
//   - The escapes are \. \d \w \s and, in a class, \-. Any other special character is
//     written as a class: [(].
//   - A class is not empty and contains no [ and no POSIX class. A hyphen in it is
//     first, last, part of a range, or escaped.
//   - Characters are visible and in the Basic Multilingual Plane: engines that count in
//     UTF-16 would treat others as two.
//   - It accepts at most 300 characters, and only those that letters can print, so that it is
//     the whole rule for a value; see catalogue.Field.
//   - It has at most 400 characters, at most 1,000 steps once its repetitions are
//     expanded, and at most 1,000 ways to match a text; see ambiguity.go.
//
// Package regexp/syntax parses it. A check of each token comes first, because that
// package accepts syntax that other engines read differently.
const (
	maxFormat = 400
	maxRepeat = 1000 // RE2's limit
	maxGroups = 10   // nested
)

const (
	insideProblem     = "must use ^ and $ only at its ends; elsewhere write a class such as [$]"
	escapeProblem     = `must use no escapes other than \. \d \w \s and, in a class, \-`
	groupProblem      = "must use only the groups ( ) and (?: )"
	pairProblem       = "must close every parenthesis"
	withinProblem     = "must put alternatives in a group and open every parenthesis that it closes"
	closingProblem    = "must use ] and } only to end a class or quantifier; elsewhere write a class such as [}]"
	quantifierProblem = "must use one quantifier at a time, and only after what it repeats; " +
		"write a class such as [+] for the character itself"
	classProblem = "must use only classes that are not empty, have a hyphen only first, last, in a range or " +
		"escaped, and contain no [ and no doubled punctuation"
)

// formatProblem returns the problem of a format, or "".
func formatProblem(format string) string {
	if n := utf8.RuneCountInString(format); n == 0 || n > maxFormat {
		return fmt.Sprintf("must have 1 to %d characters", maxFormat)
	}
	if problem := jsonschema.OneLine(format); problem != "" {
		return problem
	}
	if strings.ContainsFunc(format, func(r rune) bool { return r > '\uffff' }) {
		return "must not contain characters above U+FFFF"
	}
	inner, begins := strings.CutPrefix(format, "^")
	inner, ends := strings.CutSuffix(inner, "$")
	if !begins || !ends {
		return "must begin with ^ and end with $"
	}
	plain, problem := rewrite(inner)
	if problem != "" {
		return problem
	}
	tooLong := fmt.Sprintf("must not have more than %d steps once repetitions are expanded", maxSteps)
	tree, err := syntax.Parse(catalogue.Field{Format: format}.Pattern(), syntax.Perl)
	if err != nil { // after rewrite, this can only mean too many repetitions in total
		return tooLong
	}
	switch n, printable := reach(tree); {
	case !printable:
		return "must accept only letters and punctuation of the Latin, Greek and Cyrillic scripts, and have no class that begins with ^"
	case n > cancellation.MaxValue:
		return fmt.Sprintf("must not accept more than %d characters: give repetitions a bound, such as {1,20}",
			cancellation.MaxValue)
	}
	g, ok := newGraph(plain)
	if !ok {
		return tooLong
	}
	fewWays := g.ways(uint32(g.Start)) <= maxWays
	return unless(fewWays, fmt.Sprintf("must not have more than %d ways to match a text", maxWays))
}

// reach returns the maximum length of a text that an expression matches, and whether letters can print each of its
// characters.
func reach(e *syntax.Regexp) (longest int, printable bool) {
	printable = true
	for _, sub := range e.Sub {
		n, ok := reach(sub)
		printable = printable && ok
		if e.Op == syntax.OpAlternate {
			longest = max(longest, n)
		} else {
			longest += n
		}
	}
	switch e.Op {
	case syntax.OpLiteral:
		longest = len(e.Rune)
		for _, r := range e.Rune {
			printable = printable && unicode.In(r, cancellation.Text, cancellation.Marks)
		}
	case syntax.OpCharClass:
		longest = 1
		for i := 0; i < len(e.Rune); i += 2 {
			for r := e.Rune[i]; r <= e.Rune[i+1] && printable; r++ {
				printable = unicode.In(r, cancellation.Text, cancellation.Marks)
			}
		}
	case syntax.OpStar, syntax.OpPlus:
		longest = math.MaxInt32
	case syntax.OpRepeat:
		if longest *= e.Max; e.Max < 0 {
			longest = math.MaxInt32
		}
	default:
	}
	return longest, printable
}

// tokenPattern matches one token: an escape, a class, the start of a group, a
// quantifier or a character.
var tokenPattern = regexp.MustCompile(`^(?:\\.|\[(?:\\.|[^\]\\])*\]|\(\?:|[?*+]|\{\d{1,4}(?:,\d{0,4})?\}|.)`)

// rewrite checks a format token by token and returns the form that package regexp/syntax analyses. That form differs
// in two ways. Escapes are wider, because engines disagree on whether \d, \w and \s include digits, letters and
// spaces beyond ASCII. And every alternative is a group of its own: the package would merge alternatives with a
// common prefix and nested repetitions, which hides what is slow in other engines.
func rewrite(format string) (rewritten, problem string) {
	var plain strings.Builder
	depth := 0
	repeatable := false
	for rest := format; rest != ""; {
		token := tokenPattern.FindString(rest)
		rest = rest[len(token):]
		problem = ""
		couldRepeat := repeatable
		repeatable = true
		switch token[0] {
		case '(':
			depth++
			repeatable = false
			problem = openProblem(token, rest, depth)
			token = "(("
		case '|':
			repeatable = false
			problem = unless(depth > 0, withinProblem)
			token = ")|("
		case ')':
			depth--
			problem = unless(depth >= 0, withinProblem)
			token = "))"
		case '?', '*', '+', '{':
			repeatable = false
			problem = repeatProblem(token, couldRepeat)
		case '[':
			token, problem = class(token)
		case '\\':
			problem = unless(escapePattern.MatchString(token) && token != `\-`, escapeProblem)
			if token != `\.` {
				token = "[" + widen(token) + "]"
			}
		case '^', '$':
			problem = insideProblem
		case ']', '}':
			problem = closingProblem
		}
		if problem != "" {
			return "", problem
		}
		plain.WriteString(token)
	}
	return plain.String(), unless(depth == 0, pairProblem)
}

func openProblem(token, rest string, depth int) string {
	switch {
	case token == "(" && strings.HasPrefix(rest, "?"):
		return groupProblem
	case depth > maxGroups:
		return fmt.Sprintf("must not nest groups more than %d deep", maxGroups)
	default:
		return ""
	}
}

func repeatProblem(token string, couldRepeat bool) string {
	if !couldRepeat || token == "{" {
		return quantifierProblem
	}
	_, err := syntax.Parse("x"+token, syntax.Perl)
	return unless(err == nil, fmt.Sprintf("must use quantifiers whose bounds ascend and do not exceed %d", maxRepeat))
}

var (
	escapePattern = regexp.MustCompile(`\\[.dws-]`)
	// classPattern allows a hyphen only where all engines read it the same way.
	classPattern = regexp.MustCompile(`^\[\^?-?(?:\\[.dws-]|[^\\\[-](?:-[^\\\[-])?)*-?\]$`)
	// Some engines read these as set operations, or reserve them.
	doubledPattern = regexp.MustCompile(`&&|!!|##|\$\$|%%|\*\*|\+\+|,,|\.\.|::|;;|<<|==|>>|\?\?|@@|\^\^|` + "``" + `|\|\||~~|--`)
)

// class checks a class and widens its escapes, except in a negated class.
func class(token string) (widened, problem string) {
	if strings.Contains(escapePattern.ReplaceAllString(token, ""), `\`) {
		return "", escapeProblem
	}
	_, err := syntax.Parse(token, syntax.Perl)
	if err != nil || !classPattern.MatchString(token) || doubledPattern.MatchString(token) {
		return "", classProblem
	}
	if !strings.HasPrefix(token, "[^") {
		token = escapePattern.ReplaceAllStringFunc(token, widen)
	}
	return token, ""
}

// widen adds the characters that some engines include in an escape.
func widen(escape string) string {
	if escape == `\.` || escape == `\-` {
		return escape
	}
	return escape + `\x0b\x{80}-\x{10FFFF}`
}
