// Package jsonlines reads the files that operators import: JSON Lines, in UTF-8,
// plain or compressed with gzip, one object a line, blank lines aside. Each line is
// checked against a JSON Schema, and every fault is named by line and JSON Pointer.
// No fault repeats a value of the file.
//
// The schemas are standard ones (draft 2020-12) that editors and other validators
// read as well. They are checked here by a few functions of our own: the library
// that the tests compare them with compiles the standard's own schemas in an init
// function, which is 22 M instructions at every start of a function that takes 9 M
// otherwise. A schema that uses a keyword not known here is refused when it is read.
package jsonlines
