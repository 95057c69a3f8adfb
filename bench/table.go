package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"aviso/localstack/emulator"
)

// column is a column of a table: its figure and format.
type column struct{ what, format string }

func functionColumns() []column {
	return []column{
		{binary, "%.2f"}, {initTime, "%.1f"}, {initToHello, "%.1f"}, {initToClients, "%.1f"},
		{initInstructions, "%.1f"}, {firstTime, "%.1f"}, {memory, "%.0f"},
	}
}

func routeColumns() []column {
	return []column{
		{calls, "%.0f"}, {firstHandshakes, "%.0f"}, {readUnits, "%.1f"}, {writeUnits, "%.0f"},
		{warmTime, "%.2f"}, {warmTime99, "%.2f"}, {warmToClients, "%.1f"},
		{instructions, "%.2f"}, {above, "%.2f"}, {toFloor, "%.2f"},
	}
}

func functionTable(m *measurement, f *figures) string {
	return table(f, "Function", m.names(), functionColumns())
}

func routeTable(m *measurement, f *figures) string {
	rows := []string{floorHello, floorClients, floorTwo}
	for _, r := range m.routes {
		rows = append(rows, r.Key())
	}
	return table(f, "Route", rows, routeColumns())
}

// table returns a Markdown table whose columns are aligned, so that it is also readable
// in a terminal.
func table(f *figures, title string, rows []string, columns []column) string {
	cells := [][]string{{title}}
	for _, c := range columns {
		cells[0] = append(cells[0], c.what)
	}
	for _, row := range rows {
		line := []string{row}
		for _, c := range columns {
			cell := ""
			if value, ok := f.get(row, c.what); ok {
				cell = fmt.Sprintf(c.format, value)
			}
			line = append(line, cell)
		}
		cells = append(cells, line)
	}
	return markdown(cells)
}

// markdown returns a Markdown table. The first line is the head, and all columns except the
// first are right-aligned.
func markdown(cells [][]string) string {
	width := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, cell := range line {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	var out strings.Builder
	for n, line := range cells {
		for i, cell := range line {
			if i == 0 {
				fmt.Fprintf(&out, "| %-*s ", width[i], cell)
			} else {
				fmt.Fprintf(&out, "| %*s ", width[i], cell)
			}
		}
		out.WriteString("|\n")
		if n > 0 {
			continue
		}
		out.WriteString("|" + strings.Repeat("-", width[0]+2))
		for _, w := range width[1:] {
			out.WriteString("|" + strings.Repeat("-", w+1) + ":")
		}
		out.WriteString("|\n")
	}
	return out.String()
}

// measuredOn says where and when the figures were measured.
func measuredOn() string {
	model := "unknown processor"
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	load := ""
	if average, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = ", load average at the end " + strings.Join(strings.Fields(string(average))[:3], " ")
	}
	return fmt.Sprintf("%s on %s/%s, %d cores of %s, %s%s.", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), model, time.Now().UTC().Format(time.DateOnly), load)
}

// writeFigures writes the tables to docs/performance.md.
func writeFigures(m *measurement, f *figures) error {
	return replaceBetween(filepath.Join(m.world.Checkout(), "docs", "performance.md"), "bench",
		measuredOn()+"\n\n"+functionTable(m, f)+"\n"+routeTable(m, f))
}

// insert writes a file's text, measured on this machine, to docs/performance.md.
func insert(name, file string) error {
	folder, err := emulator.Folder()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the figures: %w", err)
	}
	page := filepath.Join(filepath.Dir(folder), "docs", "performance.md")
	return replaceBetween(page, name, measuredOn()+"\n\n"+string(text))
}

// replaceBetween replaces the text between <!-- name --> and <!-- /name --> in a file.
func replaceBetween(file, name, text string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	page, err := between(string(content), name, text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(page), 0o644)
}

func between(page, name, text string) (string, error) {
	open, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(page, open)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("missing %s%s", open, end)
	}
	return before + open + "\n" + strings.TrimSpace(text) + "\n\n" + end + after, nil
}
