package fts5

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext/vocabulary"
)

// Order is how hits are put in order.
type Order string

// The orders.
const (
	// Ranked is by bm25, FTS5's measure of relevance; hits that are equally good
	// by length of the name, name and id.
	Ranked Order = "ranked"
	// ByRow leaves relevance out: by length of the name, name and id alone.
	// FTS5 stops at the last hit that is wanted.
	ByRow Order = "by row"
)

// Index is a cancellation.SearchIndex. It is safe for concurrent use, one query
// after the other: the database in memory has one connection.
type Index struct {
	db *sql.DB
	// words are all that FTS5 has. Of the words before the place i, before[i] is
	// how many documents hold them, added up.
	words   vocabulary.List
	before  []int
	queries map[cancellation.SearchKind]*sql.Stmt
}

var _ cancellation.SearchIndex = (*Index)(nil)

const schema = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY;
CREATE TABLE documents(
	id INTEGER PRIMARY KEY, kind TEXT, uid TEXT, organization_id TEXT, category_id TEXT, name TEXT,
	organization_name TEXT, extra_consent INTEGER, url TEXT, locales TEXT
);
CREATE VIRTUAL TABLE organizations USING fts5(own, other, facets, content='', prefix='1 2 3', tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE products USING fts5(own, other, facets, content='', prefix='1 2 3', tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE organization_words USING fts5vocab(organizations, col);
CREATE VIRTUAL TABLE product_words USING fts5vocab(products, col);`

// A word of the own name weighs as ten of the organization's.
const ranked = `
SELECT kind, uid, organization_id, category_id, name, organization_name, extra_consent, url, locales
FROM (SELECT rowid AS hit, bm25(%[1]s, 10.0, 1.0, 0.0) AS score FROM %[1]s WHERE %[1]s MATCH ?1 ORDER BY score, hit LIMIT ?2)
JOIN documents ON id = hit ORDER BY score, hit`

const byRow = `
SELECT kind, uid, organization_id, category_id, name, organization_name, extra_consent, url, locales
FROM (SELECT rowid AS hit FROM %[1]s WHERE %[1]s MATCH ?1 ORDER BY hit LIMIT ?2)
JOIN documents ON id = hit ORDER BY hit`

// New makes the index of the documents.
func New(ctx context.Context, documents []cancellation.SearchDocument, order Order) (*Index, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	x := &Index{db: db, queries: map[cancellation.SearchKind]*sql.Stmt{}}
	if err := x.build(ctx, documents, order); err != nil {
		_ = db.Close()
		return nil, err
	}
	return x, nil
}

// Close frees the database.
func (x *Index) Close() error { return x.db.Close() }

func (x *Index) build(ctx context.Context, documents []cancellation.SearchDocument, order Order) error {
	if _, err := x.db.ExecContext(ctx, schema); err != nil {
		return fmt.Errorf("create tables: %w", err)
	}
	if err := x.insert(ctx, documents); err != nil {
		return err
	}
	for _, table := range []string{"organizations", "products"} {
		if _, err := x.db.ExecContext(ctx, fmt.Sprintf("INSERT INTO %[1]s(%[1]s) VALUES('optimize')", table)); err != nil {
			return fmt.Errorf("optimize: %w", err)
		}
	}
	if err := x.readWords(ctx); err != nil {
		return err
	}
	query := ranked
	if order == ByRow {
		query = byRow
	}
	for kind, table := range tables() {
		statement, err := x.db.PrepareContext(ctx, fmt.Sprintf(query, table))
		if err != nil {
			return fmt.Errorf("prepare query: %w", err)
		}
		x.queries[kind] = statement
	}
	return nil
}

// tables are those of FTS5.
func tables() map[cancellation.SearchKind]string {
	return map[cancellation.SearchKind]string{cancellation.SearchOrganization: "organizations", cancellation.SearchProduct: "products"}
}

// insert writes the documents, in the order of hits that are equally good.
func (x *Index) insert(ctx context.Context, documents []cancellation.SearchDocument) error {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	shown, err := tx.PrepareContext(ctx, "INSERT INTO documents VALUES(?,?,?,?,?,?,?,?,?,?)")
	if err != nil {
		return fmt.Errorf("prepare insert: %w", err)
	}
	found := map[cancellation.SearchKind]*sql.Stmt{}
	for kind, table := range tables() {
		if found[kind], err = tx.PrepareContext(ctx, "INSERT INTO "+table+"(rowid, own, other, facets) VALUES(?,?,?,?)"); err != nil {
			return fmt.Errorf("prepare insert: %w", err)
		}
	}
	for id, d := range inOrder(documents) {
		if _, err := shown.ExecContext(ctx, id, string(d.Kind), d.ID, d.OrganizationID, d.CategoryID, d.Name, d.OrganizationName, d.ExtraConsent, d.URL, joinLocales(d.Locales)); err != nil {
			return fmt.Errorf("insert document: %w", err)
		}
		other := ""
		if d.Kind == cancellation.SearchProduct {
			other = forms(d.OrganizationName)
		}
		facets := []string{categoryFacet(d.CategoryID)}
		for _, l := range d.Locales {
			facets = append(facets, localeFacet(l))
		}
		if _, err := found[d.Kind].ExecContext(ctx, id, forms(d.Name), other, strings.Join(facets, " ")); err != nil {
			return fmt.Errorf("insert words: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// inOrder are the documents by the length of their names in words, name and id.
func inOrder(documents []cancellation.SearchDocument) []cancellation.SearchDocument {
	type ordered struct {
		words int
		name  string
		d     cancellation.SearchDocument
	}
	all := make([]ordered, len(documents))
	for i, d := range documents {
		var plain []string
		for _, w := range vocabulary.Words(d.Name) {
			plain = append(plain, w.Plain)
		}
		all[i] = ordered{len(plain), strings.Join(plain, " "), d}
	}
	slices.SortFunc(all, func(a, b ordered) int {
		if a.words != b.words {
			return a.words - b.words
		}
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return strings.Compare(a.d.ID, b.d.ID)
	})
	sorted := make([]cancellation.SearchDocument, len(all))
	for i := range all {
		sorted[i] = all[i].d
	}
	return sorted
}

// forms are all words of a name in all forms, as one text.
func forms(name string) string {
	var b strings.Builder
	note := func(plain, long []byte) {
		b.Write(plain)
		b.WriteByte(' ')
		if !bytes.Equal(long, plain) {
			b.Write(long)
			b.WriteByte(' ')
		}
	}
	var c vocabulary.Cutter
	c.Each(name, note)
	c.EachJoined(name, note)
	return b.String()
}

// Facets are words that no name has in their column, of letters and digits only.
func categoryFacet(id string) string { return "c" + strings.ReplaceAll(id, "-", "") }
func localeFacet(l cancellation.Locale) string {
	return "l" + strings.ToLower(strings.ReplaceAll(string(l), "-", ""))
}
func joinLocales(l []cancellation.Locale) string { return strings.Trim(fmt.Sprint(l), "[]") }

// readWords reads the vocabulary that FTS5 has made.
func (x *Index) readWords(ctx context.Context) error {
	rows, err := x.db.QueryContext(ctx, `
		SELECT term, SUM(doc) FROM (SELECT term, doc, col FROM organization_words UNION ALL SELECT term, doc, col FROM product_words)
		WHERE col <> 'facets' GROUP BY term ORDER BY term`)
	if err != nil {
		return fmt.Errorf("read vocabulary: %w", err)
	}
	defer rows.Close()
	x.before = []int{0}
	for rows.Next() {
		var word string
		var documents int
		if err := rows.Scan(&word, &documents); err != nil {
			return fmt.Errorf("read vocabulary: %w", err)
		}
		x.words, x.before = append(x.words, word), append(x.before, x.before[len(x.words)]+documents)
	}
	return rows.Err()
}
