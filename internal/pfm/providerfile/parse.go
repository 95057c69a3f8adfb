package providerfile

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

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

//go:embed schema.json
var schemaText []byte

// Parse reads a file. allowHTTP lets addresses of http pass, too. The error is
// *Invalid when the file is not valid.
func Parse(file []byte, allowHTTP bool) ([]pfm.Provider, error) {
	text, err := decompress(file)
	if err != nil {
		return nil, err
	}
	schema, err := compile()
	if err != nil {
		return nil, err
	}
	r := reader{schema: schema, allowHTTP: allowHTTP, lines: map[string]int{}}
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

func compile() (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		return nil, fmt.Errorf("read the schema of providers: %w", err)
	}
	c := jsonschema.NewCompiler()
	const address = "https://aviso.example/provider" // is not fetched: the schema is added under it
	if err := c.AddResource(address, document); err != nil {
		return nil, fmt.Errorf("add the schema of providers: %w", err)
	}
	schema, err := c.Compile(address)
	if err != nil {
		return nil, fmt.Errorf("compile the schema of providers: %w", err)
	}
	return schema, nil
}

// reader is what has been read so far.
type reader struct {
	schema    *jsonschema.Schema
	allowHTTP bool
	providers []pfm.Provider
	problems  []Problem
	lines     map[string]int // of each id
}

// read takes one line: first its form, and if that is right its meaning.
func (r *reader) read(number int, line []byte) {
	fail := func(path, text string) {
		r.problems = append(r.problems, Problem{Line: number, Path: path, Text: text})
	}
	if !utf8.Valid(line) {
		fail("", "the line is not UTF-8")
		return
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		fail("", "the line is not one JSON object")
		return
	}
	if err := r.schema.Validate(value); err != nil {
		found := faults(err)
		slices.SortFunc(found, func(a, b formFault) int { return strings.Compare(a.path, b.path) })
		for _, f := range found {
			fail(f.path, f.text)
		}
		return
	}
	var w wireProvider
	if err := json.Unmarshal(line, &w); err != nil {
		fail("", "a number of the line is too large, or written with a fraction or an exponent")
		return
	}
	before := len(r.problems)
	w.check(r.allowHTTP, fail)
	if first, there := r.lines[w.ID]; there {
		fail("/id", fmt.Sprintf("the id is that of line %d, too", first))
	}
	r.lines[w.ID] = number
	if len(r.problems) == before {
		r.providers = append(r.providers, w.provider())
	}
}
