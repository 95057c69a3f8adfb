package providerfile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"aviso/internal/pfm"
)

// MaxFile is the largest file, in bytes and not compressed.
const MaxFile = 16 << 20

// Problem is one fault of a file.
type Problem struct {
	// Line counts from 1; it is 0 for what concerns the file as a whole.
	Line int
	// Path is a JSON Pointer (RFC 6901) into the line's object; empty for the
	// line as a whole.
	Path string
	// Text says what is expected. It holds nothing of the file.
	Text string
}

// Invalid refuses a file. Problems are all faults, by line.
type Invalid struct{ Problems []Problem }

func (e *Invalid) Error() string {
	p := e.Problems[0]
	return fmt.Sprintf("provider file: %d problems, the first in line %d at %q: %s", len(e.Problems), p.Line, p.Path, p.Text)
}

// Parse reads a file. allowHTTP lets addresses of http pass, too. The error is
// *Invalid when the file is not valid.
func Parse(file []byte, allowHTTP bool) ([]pfm.Provider, error) {
	text, err := decompress(file)
	if err != nil {
		return nil, err
	}
	r := reader{allowHTTP: allowHTTP, lines: map[string]int{}}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r.read(number, line)
		}
	}
	if len(r.providers) == 0 && len(r.problems) == 0 {
		r.problems = append(r.problems, Problem{Text: "the file holds no provider"})
	}
	if len(r.problems) > 0 {
		return nil, &Invalid{Problems: r.problems}
	}
	return r.providers, nil
}

// decompress looks for the two bytes with which gzip begins (RFC 1952).
func decompress(file []byte) ([]byte, error) {
	if bytes.HasPrefix(file, []byte{0x1f, 0x8b}) {
		zipped, err := gzip.NewReader(bytes.NewReader(file))
		if err == nil {
			file, err = io.ReadAll(io.LimitReader(zipped, MaxFile+1))
		}
		if err != nil {
			return nil, &Invalid{Problems: []Problem{{Text: "the compression is damaged"}}}
		}
	}
	if len(file) > MaxFile {
		return nil, &Invalid{Problems: []Problem{{Text: "the file must not be larger than 16 MB"}}}
	}
	return file, nil
}

// reader is what has been read so far.
type reader struct {
	allowHTTP bool
	providers []pfm.Provider
	problems  []Problem
	lines     map[string]int // of each id
}

// read takes one line.
func (r *reader) read(number int, line []byte) {
	before := len(r.problems)
	at := place{note: func(path, text string) {
		r.problems = append(r.problems, Problem{Line: number, Path: path, Text: text})
	}}
	if !utf8.Valid(line) {
		at.fail("the line is not UTF-8")
		return
	}
	v, ok := at.read(line)
	if !ok {
		return
	}
	p := readProvider(at, v, r.allowHTTP)
	if first, there := r.lines[p.ID]; there {
		at.below("id").fail(fmt.Sprintf("the id is that of line %d, too", first))
	} else if p.ID != "" {
		r.lines[p.ID] = number
	}
	slices.SortStableFunc(r.problems[before:], func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	if len(r.problems) == before {
		r.providers = append(r.providers, p)
	}
}
