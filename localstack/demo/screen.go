package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// The colours, as terminals have them (ECMA-48).
const (
	bold  = "1"
	dim   = "2"
	green = "32"
	red   = "31"
	cyan  = "36"
)

// width is that of a line with something at its right end.
const width = 84

// screen shows the steps.
type screen struct {
	out      io.Writer
	coloured bool
	now      func() time.Time

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

// begin opens a numbered step and says what happens in it.
func (s *screen) begin(title, explanation string) {
	s.step++
	s.stepBegun = s.now()
	s.line("\n%s  %s", s.paint(cyan, fmt.Sprintf("%2d", s.step)), s.paint(bold, title))
	s.line("    %s", s.paint(dim, explanation))
}

// curl shows commands that do what the step does, ready to be pasted.
func (s *screen) curl(commands ...string) {
	s.line("\n    %s\n", strings.ReplaceAll(strings.Join(commands, "\n"), "\n", "\n    "))
}

// tell is a line about what came back.
func (s *screen) tell(format string, args ...any) {
	s.line("    "+format, args...)
}

// end closes the step with what it led to and how long it took.
func (s *screen) end(format string, args ...any) {
	s.closing("✓", green, fmt.Sprintf(format, args...))
}

// failed closes a step that did not go as it should.
func (s *screen) failed() { s.closing("✗", red, "failed") }

func (s *screen) closing(mark, colour, text string) {
	took := duration(s.now().Sub(s.stepBegun))
	pad := max(width-6-utf8.RuneCountInString(text)-utf8.RuneCountInString(took), 1)
	s.line("    %s %s%s%s", s.paint(colour, mark), text, strings.Repeat(" ", pad), s.paint(dim, took))
}

// table shows rows in columns; those of the columns named in right are numbers.
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

// shorten cuts text that would break a table.
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
