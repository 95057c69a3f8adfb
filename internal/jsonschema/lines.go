package jsonschema

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
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// MaxLine is the maximum length of a line in bytes.
	MaxLine = 256 << 10
	// MaxProblems is the number of problems after which reading stops.
	MaxProblems = 10_000
)

// Problem is one error in a file.
type Problem struct {
	// Line counts from 1. It is 0 if the problem concerns the whole file.
	Line int
	// Path is a JSON Pointer (RFC 6901) into the line's object. It is empty if the
	// problem concerns the whole line.
	Path string
	// Text describes the expected value. It never repeats a value from the file.
	Text string
}

// Invalid is the error for a file with problems.
type Invalid struct {
	// Problems are sorted by line. There are at most MaxProblems.
	Problems []Problem
}

func (e *Invalid) Error() string {
	p := e.Problems[0]
	return fmt.Sprintf("line %d, path %q: %s (problem 1 of %d)", p.Line, p.Path, p.Text, len(e.Problems))
}

// File reads a file that operators import and collects its problems: JSON Lines in UTF-8, plain
// or compressed with gzip, one object per line. Blank lines are skipped. Each line is checked
// against a schema, and every problem is reported with its line and JSON Pointer.
type File struct {
	root     Schema
	formats  Formats
	maxMB    int
	problems []Problem
}

// NewFile returns a File for files of up to maxMB megabytes, measured uncompressed.
func NewFile(schema []byte, formats Formats, maxMB int) (*File, error) {
	f := &File{formats: formats, maxMB: maxMB}
	if err := json.Unmarshal(schema, &f.root); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	return f, nil
}

// Line is one line of the file.
type Line struct {
	file     *File
	Number   int
	text     []byte
	problems []Problem // found by the schema
}

// Decode decodes as much of the line as it can, even if the schema found problems, so that all problems of a line are
// reported at once. It ignores the case of member names, which the schema has already checked.
func (l Line) Decode(v any) {
	_ = json.Unmarshal(l.text, v) // the schema has already reported this error
}

// Fail adds a problem that the schema cannot find. It does nothing if the schema has
// already reported a problem at path or at one of its parents.
func (l Line) Fail(path, text string) {
	for _, known := range l.problems {
		if path == known.Path || strings.HasPrefix(path, known.Path+"/") {
			return
		}
	}
	l.file.problems = append(l.file.problems, Problem{Line: l.Number, Path: path, Text: text})
}

// Check validates a line against the schema and returns its problems, at most one for
// each path.
func (f *File) Check(line []byte) []Problem {
	v, wrong := parse(line)
	if wrong.Text != "" {
		return []Problem{wrong}
	}
	var problems []Problem
	add := func(p Problem) {
		if !slices.ContainsFunc(problems, func(known Problem) bool { return known.Path == p.Path }) {
			problems = append(problems, p)
		}
	}
	for _, fault := range f.root.Check(v, Options{Formats: f.formats, PlainIntegers: true}) {
		add(Problem{Path: pointer(fault.Path), Text: fault.Text})
	}
	return problems
}

// parse returns the value of a line, or its problem.
func parse(line []byte) (value any, wrong Problem) {
	if !utf8.Valid(line) {
		return nil, Problem{Text: "the line is not valid UTF-8"}
	}
	d := jsontext.NewDecoder(bytes.NewReader(line), jsontext.AllowInvalidUTF8(true)) // accepts half a surrogate pair
	_, err := d.ReadValue()
	if fault, ok := errors.AsType[*jsontext.SyntacticError](err); ok && errors.Is(err, jsontext.ErrDuplicateName) {
		return nil, Problem{Path: pointer(slices.Collect(fault.JSONPointer.Tokens())), Text: "duplicate member"}
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	numbers := json.NewDecoder(bytes.NewReader(line))
	numbers.UseNumber()
	switch {
	case err == nil:
		return nil, Problem{Text: "the line contains more than one object"}
	case !errors.Is(err, io.EOF) || numbers.Decode(&value) != nil:
		return nil, Problem{Text: "the line is not valid JSON"}
	}
	return value, Problem{}
}

// pointer returns a path as a JSON Pointer (RFC 6901). It leaves out names that are
// empty, long or not printable.
func pointer(path []string) string {
	const longest = 40
	var p strings.Builder
	for _, name := range path {
		if name != "" && utf8.RuneCountInString(name) <= longest && OneLine(name) == "" {
			p.WriteString("/" + Escape(name))
		}
	}
	return p.String()
}

// Read calls visit for every line that is not blank. visit must not keep the Line. Read returns r's error, or
// *Invalid if it cannot read the rest of the file.
func (f *File) Read(r io.Reader, visit func(Line)) error {
	plain, err := decompress(r)
	if err != nil {
		return err
	}
	limited := &io.LimitedReader{R: plain, N: int64(f.maxMB)<<20 + 1}
	if err := f.readLines(bufio.NewReaderSize(limited, MaxLine+2), visit); err != nil {
		return err
	}
	if limited.N == 0 {
		return &Invalid{Problems: []Problem{{Text: fmt.Sprintf("the file must not be larger than %d MB", f.maxMB)}}}
	}
	return nil
}

// Err returns *Invalid with all problems found, or nil. The file must have at least one thing; n is how many the
// caller has read.
func (f *File) Err(n int, thing string) error {
	if len(f.problems) == 0 && n == 0 {
		f.problems = append(f.problems, Problem{Text: "the file must contain at least one " + thing})
	}
	if len(f.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(f.problems, func(a, b Problem) int { return a.Line - b.Line })
	return &Invalid{Problems: f.problems[:min(len(f.problems), MaxProblems)]}
}

// decompress recognizes gzip by its first two bytes (RFC 1952).
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

const damaged = "the gzip compression is damaged"

func (f *File) readLines(r *bufio.Reader, visit func(Line)) error {
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
			f.readLine(number, line, visit)
		}
		if ended {
			return nil
		}
	}
	return nil
}

func (f *File) readLine(number int, text []byte, visit func(Line)) {
	l := Line{file: f, Number: number, text: text, problems: f.Check(text)}
	for _, p := range l.problems {
		f.problems = append(f.problems, Problem{Line: number, Path: p.Path, Text: p.Text})
	}
	visit(l)
}

// isDamaged reports whether err means damaged gzip data rather than a failure of the
// underlying reader.
func isDamaged(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.As(err, &corrupt) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) ||
		errors.Is(err, io.ErrUnexpectedEOF)
}

// OneLine is a format: a single line of visible characters.
func OneLine(text string) string {
	// Control, format, joining and private-use characters, and line and paragraph
	// separators.
	invisible := func(r rune) bool { return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }
	switch {
	case strings.ContainsFunc(text, invisible):
		return "must not contain control, zero-width or bidirectional characters"
	case strings.TrimSpace(text) != text:
		return "must not begin or end with a space"
	default:
		return ""
	}
}
