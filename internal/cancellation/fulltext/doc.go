// Package fulltext finds organizations and products by what people type. It builds an
// index in memory for each version of the catalogue.
//
// Names are split into words that compare equal however they are spelled (word.go). The
// sorted words of all names are the vocabulary. All words with one prefix form a range
// of it, so prefixes and words with a typo need no other structure (vocabulary.go).
// Each word has postings: the documents that contain it (build.go). A document that
// matches every word of the query is a hit. If there is none, the search drops the most
// common words (search.go). The rank of a hit is one number that depends only on the
// query and the document (match.go), so a page can continue after a hit even if the
// catalogue has changed elsewhere (page.go). What a hit shows is stored in records
// without pointers, which cost the garbage collector nothing (record.go).
package fulltext
