// Package fulltext finds organizations and products by what people type. The importer
// encodes an index for each version of the catalogue (build.go), and the search reads it
// where it lies (layout.go).
//
// Names are split into words that compare equal however they are spelled (word.go). The
// sorted words of all names are the vocabulary. All words with one prefix form a range
// of it, so prefixes and words with a typo need no other structure (vocabulary.go).
// Each word has postings: the documents that contain it. A document that
// matches every word of the query is a hit. If there is none, the search drops the most
// common words (search.go). The rank of a hit is one number that depends only on the
// query and the document (match.go), so a page can continue after a hit even if the
// catalogue has changed elsewhere (page.go). What a hit shows is in records (record.go).
package fulltext
