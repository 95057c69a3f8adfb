// Package fts5 is the search in the catalogue on FTS5, the full-text index of
// SQLite, in memory. It is there to be measured beside package fulltext, so it
// is as good as FTS5 lets it be, and shares with its rival what the two need
// alike: the cutting of names into words, and the look for words with a typo.
//
// Organizations and products have a table each, since the answer has a list of
// each: one table would have to rank what the other list holds, too. Locale and
// category are words in a column of their own, by which FTS5 filters before it
// ranks. A word with a typo becomes the words that are one letter away from it in
// the index's own vocabulary (fts5vocab), joined by OR: FTS5 itself knows no
// typos, and its trigram tokenizer would neither rank nor bound them.
//
// Only first pages are given. Pages that go on in another version of the
// catalogue take the same code in both.
package fts5
