package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// The terminal codes of the colours (ECMA-48).
const (
	bold  = "1"
	dim   = "2"
	green = "32"
	red   = "31"
	cyan  = "36"
)

// width is the width of a line with right-aligned text.
const width = 84

// screen prints the steps.
type screen struct {
	out      io.Writer
	coloured bool
	now      func() time.Time
	// brief leaves commands out.
	brief bool

	begun     time.Time
	stepBegun time.Time
	step      int
}

func newScreen(out io.Writer, coloured bool, now func() time.Time) *screen {
	return &screen{out: out, coloured: coloured, now: now, begun: now()}
}

func (s *screen) line(format string, args ...any) {
	_, _ = fmt.Fprintf(s.out, format+"\n", args...)
}

func (s *screen) paint(colour, text string) string {
	if !s.coloured || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// begin prints the number and title of a step, and what happens in it.
func (s *screen) begin(title, explanation string) {
	s.step++
	s.stepBegun = s.now()
	s.line("\n%s  %s", s.paint(cyan, fmt.Sprintf("%2d", s.step)), s.paint(bold, title))
	s.line("    %s", s.paint(dim, explanation))
}

// curl prints commands that do the same as the step, ready to paste.
func (s *screen) curl(commands ...string) {
	if s.brief {
		return
	}
	s.line("\n    %s\n", strings.ReplaceAll(strings.Join(commands, "\n"), "\n", "\n    "))
}

// tell prints a line about the response.
func (s *screen) tell(format string, args ...any) {
	s.line("    "+format, args...)
}

// end prints the result of the step and how long it took.
func (s *screen) end(format string, args ...any) {
	s.closing("✓", green, fmt.Sprintf(format, args...))
}

// failed prints that the step failed.
func (s *screen) failed() { s.closing("✗", red, "failed") }

func (s *screen) closing(mark, colour, text string) {
	took := duration(s.now().Sub(s.stepBegun))
	pad := max(width-6-utf8.RuneCountInString(text)-utf8.RuneCountInString(took), 1)
	s.line("    %s %s%s%s", s.paint(colour, mark), text, strings.Repeat(" ", pad), s.paint(dim, took))
}

// table prints rows in columns. The columns in right are right-aligned.
func (s *screen) table(head []string, rows [][]string, right ...int) {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	format := func(row []string) string {
		cells := make([]string, len(row))
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			cells[i] = cell + pad
			for _, column := range right {
				if column == i {
					cells[i] = pad + cell
				}
			}
		}
		return strings.TrimRight(strings.Join(cells, "  "), " ")
	}
	s.tell("%s", s.paint(dim, format(head)))
	for _, row := range rows {
		s.tell("%s", format(row))
	}
	s.line("")
}

// shorten cuts text that is too wide for its column.
func shorten(text string, to int) string {
	runes := []rune(text)
	if len(runes) <= to {
		return text
	}
	return string(runes[:to-1]) + "…"
}

func duration(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
