package jsonlines

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	// MaxLine is the longest line, in bytes.
	MaxLine = 256 << 10
	// MaxProblems is how many problems are looked for before the rest of a file is
	// left unread.
	MaxProblems = 10_000
)

// Problem is one fault of a file.
type Problem struct {
	// Line counts from 1; it is 0 for what concerns the file as a whole.
	Line int
	// Path is a JSON Pointer (RFC 6901) into the line's object; empty for the line
	// as a whole.
	Path string
	// Text says what is expected. It holds nothing of the file.
	Text string
}

// Invalid refuses a file.
type Invalid struct {
	// Problems are all faults, by line; MaxProblems at most.
	Problems []Problem
}

func (e *Invalid) Error() string {
	p := e.Problems[0]
	return fmt.Sprintf("%d problems, the first in line %d at %q: %s", len(e.Problems), p.Line, p.Path, p.Text)
}

// File is a file that is being read.
type File struct {
	root     Schema
	formats  Formats
	maxMB    int
	problems []Problem
}

// New begins to read a file of at most so many megabytes, not compressed.
func New(schema []byte, formats Formats, maxMB int) (*File, error) {
	f := &File{formats: formats, maxMB: maxMB}
	if err := json.Unmarshal(schema, &f.root); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	return f, nil
}

// Line is one line that holds an object.
type Line struct {
	file   *File
	Number int
	text   []byte
	faults []Problem
}

// Decode reads what it can of a line, whatever else is wrong with it, so that all
// faults of a line are found at once. Names of fields are those of members in any
// case: the schema has checked the names already.
func (l Line) Decode(v any) {
	_ = json.Unmarshal(l.text, v) // the schema has said what is wrong
}

// Fail notes a fault that the schema cannot see. It says nothing of what the schema
// has refused, and of what is in it.
func (l Line) Fail(path, text string) {
	for _, known := range l.faults {
		if path == known.Path || strings.HasPrefix(path, known.Path+"/") {
			return
		}
	}
	l.file.problems = append(l.file.problems, Problem{Line: l.Number, Path: path, Text: text})
}

// Check holds a line against the schema.
func (f *File) Check(line []byte) []Problem {
	v, problem := parse(line)
	if problem != "" {
		return []Problem{{Text: problem}}
	}
	c := checker{defs: f.root.Defs, formats: f.formats}
	c.check(&f.root, "", v)
	return c.faults
}

// Read gives every line to take, which must not keep it. The error is that of r, or
// *Invalid where the file cannot be read on.
func (f *File) Read(r io.Reader, take func(Line)) error {
	plain, err := decompress(r)
	if err != nil {
		return err
	}
	limited := &io.LimitedReader{R: plain, N: int64(f.maxMB)<<20 + 1}
	if err := f.readLines(bufio.NewReaderSize(limited, MaxLine+2), take); err != nil {
		return err
	}
	if limited.N == 0 {
		return &Invalid{Problems: []Problem{{Text: fmt.Sprintf("the file must not be larger than %d MB", f.maxMB)}}}
	}
	return nil
}

// Err is *Invalid with everything that has been found, or nil. A file in which n
// things have been found needs at least one.
func (f *File) Err(n int, thing string) error {
	if len(f.problems) == 0 && n == 0 {
		f.problems = append(f.problems, Problem{Text: "the file holds no " + thing})
	}
	if len(f.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(f.problems, func(a, b Problem) int { return a.Line - b.Line })
	return &Invalid{Problems: f.problems[:min(len(f.problems), MaxProblems)]}
}

// decompress looks for the two bytes with which gzip begins (RFC 1952).
func decompress(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	magic, err := buffered.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	zipped, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, &Invalid{Problems: []Problem{{Text: damaged}}}
	}
	return zipped, nil
}

const damaged = "the compression is damaged"

func (f *File) readLines(r *bufio.Reader, take func(Line)) error {
	for number := 1; len(f.problems) < MaxProblems; number++ {
		line, err := r.ReadSlice('\n')
		tooLong := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.ReadSlice('\n')
		}
		ended := errors.Is(err, io.EOF)
		if isDamaged(err) {
			return &Invalid{Problems: append(f.problems, Problem{Line: number, Text: damaged})}
		}
		if err != nil && !ended {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case tooLong || len(line) > MaxLine:
			f.problems = append(f.problems, Problem{Line: number, Text: "the line must not be longer than 256 KB"})
		case len(bytes.TrimSpace(line)) > 0:
			f.readLine(number, line, take)
		}
		if ended {
			return nil
		}
	}
	return nil
}

func (f *File) readLine(number int, text []byte, take func(Line)) {
	l := Line{file: f, Number: number, text: text, faults: f.Check(text)}
	for _, p := range l.faults {
		f.problems = append(f.problems, Problem{Line: number, Path: p.Path, Text: p.Text})
	}
	take(l)
}

// isDamaged reports whether gzip could not make sense of its input, as opposed to
// what its reader failed with.
func isDamaged(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.As(err, &corrupt) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) ||
		errors.Is(err, io.ErrUnexpectedEOF)
}
