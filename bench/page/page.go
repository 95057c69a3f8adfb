// Package page writes measured tables into pages of docs.
package page

import (
	"fmt"
	"os"
	"strings"
)

// Table returns a Markdown table, aligned so that it is also readable in a terminal. The first
// line is the head, and all columns except the first are right-aligned.
func Table(cells [][]string) string {
	width := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, cell := range line {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	var out strings.Builder
	for n, line := range cells {
		for i, cell := range line {
			fmt.Fprintf(&out, "| %*s ", width[i]*min(1, 2*i-1), cell) // a negative width aligns to the left
		}
		out.WriteString("|\n")
		if n == 0 {
			out.WriteString("|" + strings.Repeat("-", width[0]+2))
			for _, w := range width[1:] {
				out.WriteString("|" + strings.Repeat("-", w+1) + ":")
			}
			out.WriteString("|\n")
		}
	}
	return out.String()
}

// Replace replaces the text between <!-- name --> and <!-- /name --> in a file.
func Replace(file, name, text string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	changed, err := Between(string(content), name, text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(changed), 0o644)
}

// Between returns the page with another text between <!-- name --> and <!-- /name -->.
func Between(page, name, text string) (string, error) {
	open, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(page, open)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("missing %s%s", open, end)
	}
	return before + open + "\n" + strings.TrimSpace(text) + "\n\n" + end + after, nil
}
