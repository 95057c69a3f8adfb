package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"aviso/bench/page"
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
		{warmTime, "%.2f"}, {warmTime99, "%.2f"}, {warmToClients, "%.1f"}, {spread, "%.1f"},
		{instructions, "%.2f"}, {above, "%.2f"}, {toFloor, "%.2f"}, {objects, "%.0f"}, {kilobytes, "%.0f"},
	}
}

func functionTable(m *measurement, f *figures) string {
	return table(f, "Function", m.names(), functionColumns())
}

func searchTable(f *figures) string {
	return table(f, "Start", []string{smallSearch, largeSearch}, []column{
		{leastInit, "%.1f"}, {leastInitClients, "%.1f"}, {initInstructions, "%.1f"},
		{memory, "%.1f"}, {calls, "%.0f"}, {readUnits, "%.1f"},
	})
}

func routeTable(m *measurement, f *figures) string {
	rows := []string{floorHello, floorClients, floorTwo}
	for _, r := range m.writing {
		rows = append(rows, r.Key())
	}
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
	return page.Table(cells)
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
	return page.Replace(filepath.Join(m.world.Checkout(), "docs", "performance.md"), "bench",
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
	file = filepath.Join(filepath.Dir(folder), "docs", "performance.md")
	return page.Replace(file, name, measuredOn()+"\n\n"+string(text))
}
