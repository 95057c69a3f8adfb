// Package jsonlines reads the files that operators import: JSON Lines in UTF-8, plain
// or compressed with gzip, one object per line. Blank lines are skipped. Each line is
// checked against a JSON Schema (package jsonschema), and every problem is reported with
// its line and JSON Pointer. No problem repeats a value from the file.
package jsonlines
