// Package jsonlines reads the files that operators import: JSON Lines in UTF-8, plain
// or compressed with gzip, one object per line. Blank lines are skipped. Each line is
// checked against a JSON Schema, and every problem is reported with its line and JSON
// Pointer. No problem repeats a value from the file.
//
// The schemas are standard ones (draft 2020-12), so editors and other validators can
// read them too. This package evaluates them itself because a full JSON Schema library
// compiles the standard's own schemas in an init function: 22 M instructions at every
// start of a function that otherwise takes 9 M. The tests compare the two. A schema
// that uses a keyword this package does not know is rejected when it is read.
package jsonlines
