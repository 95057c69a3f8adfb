package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	aviso "aviso.example/client"
)

// show prints the value as JSON if that was asked for, and otherwise the table.
func (a *app) show(value any, heads []string, rows [][]string) error {
	if a.json {
		return writeJSON(a.Out, value)
	}
	return table(a.Out, heads, rows)
}

func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func table(out io.Writer, heads []string, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{heads}, rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = printable(strings.Join(strings.Fields(cell), " "))
		}
		fmt.Fprintln(w, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	return w.Flush()
}

// printable replaces characters that could control the terminal: text may come from strangers.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// rowsOf returns a row for each item.
func rowsOf[T any](items []T, row func(T) []string) [][]string {
	rows := make([][]string, len(items))
	for i, item := range items {
		rows[i] = row(item)
	}
	return rows
}

// list prints a list, or says that it is empty.
func list[T any](a *app, what string, items []T, heads []string, row func(T) []string) error {
	if len(items) == 0 && !a.json {
		a.note("No %s.", what)
		return nil
	}
	return a.show(append([]T{}, items...), heads, rowsOf(items, row)) // [] in JSON if there is nothing, not null
}

func moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format("2006-01-02 15:04:05")
}

// report explains the error.
func (a *app) report(err error) {
	var problem *aviso.Error
	switch {
	case err == nil:
	case errors.As(err, &problem) && problem.Status != 0:
		if a.json {
			_ = writeJSON(a.Err, problem.Problem)
			return
		}
		a.note("%s", describe(problem))
	case a.json:
		_ = writeJSON(a.Err, map[string]string{"error": err.Error()})
	default:
		a.note("aviso: %s", strings.TrimPrefix(err.Error(), "aviso: "))
		if l, _ := a.credentials(); errors.Is(err, aviso.ErrConnectionFailed) && isLocal(l.BaseURL) {
			a.note("Is the local stack running? make run starts it.")
		}
	}
}

// describe says all that the problem says.
func describe(p *aviso.Error) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%d %s)\n", cmp.Or(p.Title, "The API refused"), p.Status, p.Code)
	if p.Detail != "" {
		b.WriteString("  " + p.Detail + "\n")
	}
	for _, e := range p.Errors {
		if e.EarliestEnd != "" {
			e.Detail += " earliestEnd " + e.EarliestEnd
		}
		where := cmp.Or(e.FieldKey, e.Pointer, e.Parameter, e.Header)
		if where == "" {
			fmt.Fprintf(&b, "  %s\n", e.Detail)
			continue
		}
		fmt.Fprintf(&b, "  %s  %s  %s\n", where, e.Code, e.Detail)
	}
	for _, here := range []struct{ says, command string }{
		{"terms_not_accepted", "aviso terms accept"},
		{"/openbanking/v1/providers", "aviso providers search"},
		{"/openbanking/v1/categories", "aviso categories"},
		{"already_cancelled", "aviso cancel --repeat"},
	} {
		if strings.Contains(b.String(), here.says) {
			fmt.Fprintf(&b, "  That is here: %s\n", here.command)
		}
	}
	if p.RetryAfter > 0 {
		fmt.Fprintf(&b, "  try again in %s\n", p.RetryAfter)
	}
	if !p.NextRefreshPossibleAt.IsZero() {
		b.WriteString("  possible from " + moment(p.NextRefreshPossibleAt) + "\n")
	}
	if p.CancellationID != "" {
		b.WriteString("  cancellationId " + p.CancellationID + "\n")
	}
	if p.TraceID != "" {
		b.WriteString("  traceId " + p.TraceID + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
