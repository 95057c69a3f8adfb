// Package jsonschema validates JSON values against JSON Schemas (draft 2020-12). It supports only the keywords of
// type Schema, and rejects a schema with any other. File reads the files that operators import.
//
// The schemas are standard, so editors and other validators can read them too. A full JSON Schema library would
// compile the standard's own schemas in an init function: 22 M instructions at every start of a function that
// otherwise takes 9 M. Tests in the packages that use this one compare it with such a library.
package jsonschema
