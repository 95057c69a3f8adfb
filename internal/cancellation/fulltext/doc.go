// Package fulltext finds organizations and products by what people type: an
// index in memory, made anew for each version of the catalogue.
//
// Names are cut into words that compare equal however they are written
// (fold.go). The words of all names, sorted, are the vocabulary; a range of it
// is all words with one beginning, so that prefixes and words with a typo are
// found without a further structure (go). Each word has its postings:
// the documents that hold it (build.go). A document that matches every word of
// the query is a hit; where nothing does, the most common words are let go
// (search.go). How well a hit matches is one number, which depends on the query
// and the document alone (match.go), so that a page can go on behind a hit
// whatever else has changed in the catalogue (page.go). What is shown of a
// document lies in records without pointers, which cost the collector nothing
// (record.go).
package fulltext
