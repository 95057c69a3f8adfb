package catalogue

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/cancellation"
)

// classOf is the content of a class of all characters of a table but those below first.
func classOf(table *unicode.RangeTable, first rune) string {
	var class strings.Builder
	for _, r := range table.R16 {
		class.WriteRune(max(rune(r.Lo), first))
		if r.Hi > r.Lo {
			fmt.Fprintf(&class, "-%c", r.Hi)
		}
	}
	return class.String()
}

// anyClass is the content of a class of all characters that a text may have after its first.
var anyClass = classOf(cancellation.Text, ' ') + classOf(cancellation.Marks, ' ') //nolint:gochecknoglobals // constant

// anyText is the pattern of a field that has no format: up to MaxValue characters that do
// not begin with a space or a mark.
var anyText = fmt.Sprintf( //nolint:gochecknoglobals // constant
	`^[%s][%s]{0,%d}$`, classOf(cancellation.Text, '!'), anyClass, cancellation.MaxValue-1)

// Pattern returns the regular expression that says all about a value: whatever it matches is
// accepted. Browsers compile it, too, as the pattern of an input, with ECMAScript's flag v.
// So a dot and the escapes, which engines read differently, are written as classes, and
// punctuation in a class is escaped.
func (f Field) Pattern() string {
	if f.Format == "" {
		return anyText
	}
	classes := map[byte]string{'d': "0-9", 'w': "0-9A-Z_a-z", 's': " "}
	var pattern strings.Builder
	inClass, first := false, false
	for i := 0; i < len(f.Format); i++ {
		c := f.Format[i]
		isFirst := first
		first = false
		switch {
		case c == '\\' && i+1 < len(f.Format):
			i++
			switch class := classes[f.Format[i]]; {
			case class == "":
				pattern.WriteString(f.Format[i-1 : i+1])
			case inClass:
				pattern.WriteString(class)
			default:
				pattern.WriteString("[" + class + "]")
			}
		case inClass && c == ']':
			inClass = false
			pattern.WriteByte(c)
		case inClass && c == '^' && isFirst:
			first = true
			pattern.WriteByte(c)
		case inClass && (strings.IndexByte(`()[{}/|`, c) >= 0 || c == '-' && (isFirst || strings.HasPrefix(f.Format[i+1:], "]"))):
			pattern.WriteString(`\` + string(c))
		case inClass:
			pattern.WriteByte(c)
		case c == '[':
			inClass, first = true, true
			pattern.WriteByte(c)
		case c == '.':
			pattern.WriteString("[" + anyClass + "]")
		default:
			pattern.WriteByte(c)
		}
	}
	return pattern.String()
}

// Accepts reports whether a value may be sent. Spaces around it and the way in which its
// accents are encoded do not matter. A field that accepts the empty text may be left out.
func (f Field) Accepts(value string) bool {
	if f.Format == "" {
		return matches(anyTextExpression(), value)
	}
	compiled, known := emailExpressions.Load(f.Format)
	re, _ := compiled.(*regexp.Regexp)
	if !known {
		var err error
		if re, err = regexp.Compile(f.Pattern()); err != nil {
			return false // it got past the importer
		}
		if f.Key == FieldEmail { // nearly every product has this format, and it has many steps
			emailExpressions.Store(f.Format, re)
		}
	}
	return matches(re, value)
}

// emailExpressions has the compiled formats of e-mail addresses. All products have the same.
var emailExpressions sync.Map //nolint:gochecknoglobals // compiled once

// anyTextExpression has many steps, which take long to compile.
var anyTextExpression = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // compiled once
	return regexp.MustCompile(anyText)
})

func matches(re *regexp.Regexp, value string) bool {
	return re.MatchString(value) || re.MatchString(strings.Trim(norm.NFC.String(value), " "))
}
