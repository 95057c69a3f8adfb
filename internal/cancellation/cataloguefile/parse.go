package cataloguefile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"

	"aviso/internal/cancellation"
)

const (
	// MaxLine is the longest line, in bytes.
	MaxLine = 256 << 10
	// MaxFile is the largest file, in bytes and not compressed.
	MaxFile = 64 << 20
	// MaxProblems is how many problems are looked for before the rest of a file
	// is left unread.
	MaxProblems = 10_000
)

// Problem is one fault of a file.
type Problem struct {
	// Line counts from 1; it is 0 for what concerns the file as a whole.
	Line int
	// Path is a JSON Pointer (RFC 6901) into the line's object; empty for the
	// line as a whole.
	Path string
	// Text says what is expected. It holds nothing of the file but short names
	// of members in Path.
	Text string
}

// Invalid refuses a file.
type Invalid struct {
	// Problems are all faults, by line; MaxProblems at most.
	Problems []Problem
}

func (e *Invalid) Error() string {
	p := e.Problems[0]
	return fmt.Sprintf("catalogue file: %d problems, the first in line %d at %q: %s", len(e.Problems), p.Line, p.Path, p.Text)
}

// Parse reads a file. The error is *Invalid when the file is not valid, and
// otherwise that of r.
func Parse(r io.Reader, letters Letters) (cancellation.Edition, error) {
	plain, err := decompress(r)
	if err != nil {
		return cancellation.Edition{}, err
	}
	f := newFile(letters)
	limited := &io.LimitedReader{R: plain, N: MaxFile + 1}
	if err := f.readLines(bufio.NewReaderSize(limited, MaxLine+2)); err != nil {
		return cancellation.Edition{}, err
	}
	if limited.N == 0 {
		return cancellation.Edition{}, &Invalid{Problems: []Problem{{Text: "the file must not be larger than 64 MB"}}}
	}
	return f.edition()
}

// decompress looks for the two bytes with which gzip begins (RFC 1952).
func decompress(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	magic, err := buffered.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read catalogue file: %w", err)
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	zipped, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, &Invalid{Problems: []Problem{{Text: "the compression is damaged"}}}
	}
	return zipped, nil
}

// readLines reads every line into f.
func (f *file) readLines(r *bufio.Reader) error {
	for number := 1; len(f.problems) < MaxProblems; number++ {
		line, err := r.ReadSlice('\n')
		tooLong := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.ReadSlice('\n')
		}
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			if damaged(err) {
				return &Invalid{Problems: append(f.problems, Problem{Line: number, Text: "the compression is damaged"})}
			}
			return fmt.Errorf("read catalogue file: %w", err)
		}
		at := place{file: f, line: number}
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case tooLong || len(line) > MaxLine:
			at.fail("the line must not be longer than 256 KB")
		case len(bytes.TrimSpace(line)) > 0:
			f.readLine(at, line)
		}
		if ended {
			return nil
		}
	}
	return nil
}

// damaged tells what gzip says of its input from what its reader failed with.
func damaged(err error) bool {
	return errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) || isCorrupt(err)
}

// file is what has been read so far.
type file struct {
	letters    Letters
	locales    []cancellation.Locale // of letters
	problems   []Problem
	categories []cancellation.Category
	entries    []cancellation.Entry
	// Where each slug stands, by line.
	categoryLines, organizationLines map[string]int
	// categoryUses are checked at the end: categories may come last.
	categoryUses []categoryUse
	// What has been checked or made before, since lines repeat it.
	formats map[string]string
	labels  map[string]map[cancellation.Locale]string
}

type categoryUse struct {
	at   place
	slug string
}

func newFile(letters Letters) *file {
	return &file{
		letters: letters, locales: letters.Locales(),
		categoryLines: map[string]int{}, organizationLines: map[string]int{},
		formats: map[string]string{}, labels: map[string]map[cancellation.Locale]string{},
	}
}

// readLine reads the one object of a line.
func (f *file) readLine(at place, line []byte) {
	root, problem := decode(line)
	if problem != "" {
		at.fail(problem)
		return
	}
	m, ok := at.object(root)
	if !ok {
		return
	}
	category, isCategory := m.take("category")
	organization, isOrganization := m.take("organization")
	m.done()
	switch {
	case isCategory == isOrganization:
		at.fail("the object must have one member, category or organization")
	case isCategory:
		f.readCategory(at.member("category"), category)
	default:
		f.readOrganization(at.member("organization"), organization)
	}
}

func (f *file) readCategory(at place, v node) {
	m, ok := at.object(v)
	if !ok {
		return
	}
	slug := m.slug("slug")
	f.unique(at.member("slug"), f.categoryLines, slug)
	names := map[string]string{}
	if v, ok := m.require("names"); ok {
		nameMembers, _ := at.member("names").object(v)
		for _, language := range nameMembers.names() {
			at := at.member("names").member(language)
			if !isLanguage(language) {
				at.fail("the language must be a code of ISO 639-1, in lower case")
			}
			name, _ := nameMembers.take(language)
			names[language] = at.line1(name, maxName)
		}
		if names["en"] == "" && nameMembers.byName != nil {
			at.member("names").fail("a name in en is required")
		}
	}
	m.done()
	f.categories = append(f.categories, cancellation.Category{ID: cancellation.CategoryID(slug), Slug: slug, Names: names})
}

// unique notes where a slug stands, or says that it stands elsewhere, too.
func (f *file) unique(at place, lines map[string]int, slug string) {
	if slug == "" {
		return
	}
	if line, there := lines[slug]; there {
		at.fail(fmt.Sprintf("the slug is that of line %d, too", line))
		return
	}
	lines[slug] = at.line
}

// edition is the whole file, or all that is wrong with it.
func (f *file) edition() (cancellation.Edition, error) {
	for _, use := range f.categoryUses {
		if _, known := f.categoryLines[use.slug]; !known {
			use.at.fail("there is no category of this slug in the file")
		}
	}
	if len(f.problems) == 0 && len(f.entries) == 0 {
		f.problems = append(f.problems, Problem{Text: "the file holds no organization"})
	}
	if len(f.problems) == 0 {
		return cancellation.Edition{Categories: f.categories, Entries: f.entries}, nil
	}
	slices.SortStableFunc(f.problems, func(a, b Problem) int { return a.Line - b.Line })
	return cancellation.Edition{}, &Invalid{Problems: f.problems[:min(len(f.problems), MaxProblems)]}
}
