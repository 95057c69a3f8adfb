package inbox

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth bounds the nesting of HTML that is read.
const maxDepth = 200

// quoteMark is in the text where a mail program began to quote.
const quoteMark = "\x01"

// quoteAreas are IDs and classes with which mail programs mark what they quote, and quoteStarts those after which all
// is quoted.
var (
	quoteAreas  = regexp.MustCompile(`(?i)\b(gmail_quote|yahoo_quoted|moz-cite-prefix|gmail_attr|protonmail_quote)\b`)
	quoteStarts = regexp.MustCompile(`(?i)\b(divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION|mail-editor-reference)\b`)
	hidden      = regexp.MustCompile(`(?i)display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0`)
)

// htmlText returns what a person sees of an HTML document, without what is quoted.
func htmlText(document string) string {
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		return ""
	}
	var out strings.Builder
	writeText(&out, root, 0)
	return out.String()
}

func writeText(out *strings.Builder, n *html.Node, depth int) {
	if n.Type == html.TextNode {
		out.WriteString(strings.Map(func(r rune) rune {
			if r == '\n' || r == '\r' || r == '\t' {
				return ' '
			}
			return r
		}, n.Data))
		return
	}
	if depth > maxDepth || n.Type == html.CommentNode {
		return
	}
	if n.Type == html.ElementNode {
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Head, atom.Title, atom.Template, atom.Object, atom.Iframe, atom.Blockquote,
			atom.Svg, atom.Noscript:
			if n.DataAtom != atom.Blockquote || attribute(n, "type") == "cite" || quoteAreas.MatchString(attribute(n, "class")) {
				return
			}
		}
		if hidden.MatchString(attribute(n, "style")) || quoteAreas.MatchString(attribute(n, "class")) {
			return
		}
		if quoteStarts.MatchString(attribute(n, "id")) {
			out.WriteString("\n" + quoteMark + "\n")
			return
		}
	}
	separate(out, n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		writeText(out, c, depth+1)
	}
	if isBlock(n) {
		out.WriteByte('\n')
	}
}

// separate writes what stands between an element and what is before it: cells of a row are a label and its value.
func separate(out *strings.Builder, n *html.Node) {
	switch {
	case n.DataAtom == atom.Br:
		out.WriteByte('\n')
	case n.DataAtom == atom.P, n.DataAtom == atom.Table, n.DataAtom == atom.H1, n.DataAtom == atom.H2, n.DataAtom == atom.H3:
		out.WriteString("\n\n")
	case n.DataAtom == atom.Li:
		out.WriteString("\n• ")
	case isBlock(n):
		out.WriteByte('\n')
	case n.DataAtom == atom.Td || n.DataAtom == atom.Th || n.DataAtom == atom.Dd:
		for p := n.PrevSibling; p != nil; p = p.PrevSibling {
			if p.Type == html.ElementNode {
				out.WriteString(" : ")
				break
			}
		}
	}
}

func isBlock(n *html.Node) bool {
	return slices.Contains([]atom.Atom{
		atom.P, atom.Div, atom.Tr, atom.Table, atom.Ul, atom.Ol, atom.Li, atom.H1, atom.H2, atom.H3, atom.H4, atom.Hr,
		atom.Section, atom.Article, atom.Header, atom.Footer, atom.Dt, atom.Dl, atom.Center,
	}, n.DataAtom)
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// plain removes characters that people do not see, and makes all spaces alike.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\x01':
			return r
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError, unicode.Is(unicode.Cf, r), unicode.IsControl(r), r == '\u034f':
			return -1
		}
		return r
	}, strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(s))
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(l), " ")
	}
	return strings.TrimSpace(manyLines.ReplaceAllString(strings.Join(lines, "\n"), "\n\n"))
}

var manyLines = regexp.MustCompile(`\n{3,}`)

// The beginnings of quotations: the line above one, the line of Outlook, and the fields of a mail's head, of which
// there must be three.
var (
	aboveQuote = regexp.MustCompile(
		`(wrote|schrieb|schreef|a ecrit|escribio|ha scritto|napisal\w*( ?\(a\))?|napsal\w*|skrev|kirjoitti|escreveu|escrita)\b.{0,120}:?$`)
	outlookLine = regexp.MustCompile(`^-{2,} ?(original|ursprung|message|mensaje|messaggio|oorspronkelijk|oryginal|` +
		`puvodni|opprinnelig|oprindelig|alkuperainen|mensagem|weitergeleitet|forwarded|wiadomosc)`)
	headField = regexp.MustCompile(`^[>*_ ]*(from|sent|to|subject|date|cc|von|gesendet|an|betreff|datum|de|envoye|a|objet|` +
		`enviado|enviada|para|asunto|assunto|da|inviato|oggetto|van|verzonden|aan|onderwerp|od|wyslano|do|temat|odeslano|` +
		`komu|predmet|fran|skickat|till|amne|fra|sendt|til|emne|lahettaja|lahetetty|vastaanottaja|aihe)\*? ?:`)
)

// visible returns what its author wrote, without quotations of an earlier mail.
func visible(text string) string {
	var out []string
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		folded := fold(strings.TrimSpace(line))
		if strings.Contains(line, quoteMark) || outlookLine.MatchString(folded) || strings.HasPrefix(folded, "________") {
			break
		}
		if headField.MatchString(folded) && heads(lines[i:]) >= 3 {
			break
		}
		if strings.HasPrefix(folded, ">") {
			continue
		}
		if aboveQuote.MatchString(folded) && quotes(lines[i+1:]) {
			continue
		}
		if line == "--" || line == "-- " {
			break
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// heads counts the fields of a mail's head in the lines up to the first empty one.
func heads(lines []string) (count int) {
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			break
		}
		if headField.MatchString(fold(l)) {
			count++
		}
	}
	return count
}

// quotes reports whether a quotation or the end of the mail comes next. The line above a quotation may be broken.
func quotes(lines []string) bool {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" && !strings.HasSuffix(l, ":") {
			return strings.HasPrefix(l, ">")
		}
	}
	return true
}

// sentence is a part of a text that says one thing.
type sentence struct {
	raw, folded string
	// paragraph is the number of the paragraph.
	paragraph int
	item      bool
}

var (
	bullet = regexp.MustCompile(`^\s*([•*·▪◦–-]|\(?\d{1,2}[.)]|\(?[a-z]\)) ?\S`)
	// sentenceEnd is a full stop after a word or a year. A day's and an abbreviation's do not match.
	sentenceEnd = regexp.MustCompile(`(?:\p{L}{3,}|\p{Ll}{2}|\d{3,4}|[%€)"»”]|\d{4} r|\d:\d\d)[.!?…]+["»”)]?\s+` +
		`[\p{Lu}"„«“¿¡(•]|[!?]\s+|;\s+`)
	label = regexp.MustCompile(`^[^:.]{2,45} ?: ?\S`)
)

// maxSentences bounds what is read of a mail.
const maxSentences = 400

// sentences splits a text. Lines are joined if a mail program has broken them.
func sentences(text string) []sentence {
	var all []sentence
	for p, paragraph := range strings.Split(text, "\n\n") {
		block := ""
		flush := func() {
			for block != "" && len(all) < maxSentences {
				end := len(block)
				if at := sentenceEnd.FindStringIndex(block); at != nil {
					end = at[1]
					if _, size := utf8.DecodeLastRuneInString(block[:end]); block[end-1] != ' ' {
						end -= size
					}
				}
				raw := strings.TrimSpace(block[:end])
				all = append(all, sentence{raw: raw, folded: fold(raw), paragraph: p, item: bullet.MatchString(raw)})
				block = strings.TrimSpace(block[end:])
			}
			block = ""
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			line = strings.TrimSpace(line)
			joins := utf8.RuneCountInString(block) > 45 && !bullet.MatchString(line) && !label.MatchString(line) &&
				!strings.HasSuffix(block, ":")
			if block != "" && !joins {
				flush()
			}
			block = strings.TrimSpace(block + " " + line)
		}
		flush()
	}
	return all
}
