// Package jsonschema validates JSON values against JSON Schemas (draft 2020-12) that use
// only the keywords of type Schema. A schema with any other keyword is rejected when it
// is read. File reads the files that operators import.
//
// The schemas are standard ones, so editors and other validators can read them too. This
// package evaluates them itself because a full JSON Schema library compiles the
// standard's own schemas in an init function: 22 M instructions at every start of a
// function that otherwise takes 9 M. The tests of its users compare it with such a
// library.
package jsonschema
