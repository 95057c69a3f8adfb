// Package logtest finds personal data in what tests log. A test binary that imports it gets a
// default logger that looks at each line.
package logtest

import (
	"io"
	"log/slog"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"
)

var (
	// known are a user of the tests, and the number of any account.
	known = regexp.MustCompile(`Anna|Sommer|Lindenallee|K-204817|203\.0\.113\.` +
		`|\b[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}\b|\b[A-Z]{2}[0-9]{2}( [A-Z0-9]{4}){2,7}( [A-Z0-9]{1,3})?\b`)
	escaped = regexp.MustCompile(`(%[0-9A-Fa-f]{2})+`)
	lines   = watch() //nolint:gochecknoglobals // the default logger is global, too
)

// watcher reads the lines of loggers.
type watcher struct {
	mu      sync.Mutex
	private map[string]bool
	found   []string
}

func watch() *watcher {
	w := &watcher{private: map[string]bool{}}
	slog.SetDefault(slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{AddSource: true})))
	return w
}

// Write implements io.Writer for a logger. It also writes the line to standard error.
func (w *watcher) Write(line []byte) (int, error) {
	if what := Personal(string(line)); what != "" {
		w.mu.Lock()
		w.found = append(w.found, what+": "+string(line))
		w.mu.Unlock()
	}
	return os.Stderr.Write(line)
}

// Lines returns where other loggers of a test write to be looked at, too.
func Lines() io.Writer { return lines }

// Private says that tests use these texts as somebody's. It leaves out those of less than three
// letters.
func Private(texts ...string) {
	lines.mu.Lock()
	defer lines.mu.Unlock()
	for _, text := range texts {
		if text = strings.TrimSpace(text); utf8.RuneCountInString(text) >= 3 {
			lines.private[text] = true
		}
	}
}

// Personal returns the personal data in a line, or "".
func Personal(line string) string {
	line += escaped.ReplaceAllStringFunc(line, func(hex string) string {
		text, _ := url.PathUnescape(hex) // it is well-formed
		return text
	})
	if found := known.FindString(line); found != "" {
		return found
	}
	lines.mu.Lock()
	defer lines.mu.Unlock()
	for text := range lines.private {
		if hasWords(line, text) {
			return text
		}
	}
	return ""
}

// hasWords reports whether a line has a text that does not continue a word, nor go on in one.
func hasWords(line, text string) bool {
	for {
		before, after, ok := strings.Cut(line, text)
		if !ok {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if !isWord(last) && !isWord(next) {
			return true
		}
		line = after
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) && r != utf8.RuneError || unicode.IsDigit(r) }

// Check fails the test if its binary has logged personal data by the time it ends.
func Check(t testing.TB) {
	t.Helper()
	t.Cleanup(func() {
		lines.mu.Lock()
		defer lines.mu.Unlock()
		for _, line := range lines.found {
			t.Errorf("the log has personal data, %s", line)
		}
		lines.found = nil
	})
}

// Error logs a job's error as the queue's worker does, and returns it.
func Error(err error) error {
	if err != nil {
		slog.Error("message", "error", err.Error())
	}
	return err
}
