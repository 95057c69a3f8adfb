// Package providerfile reads the file from which bank providers are imported. If
// anything in it is invalid, it rejects the whole file and lists every problem.
//
// A file is JSON Lines (package jsonlines) with one provider per line.
// providers.schema.json describes a provider. This package checks the formats that
// the schema names, and that no two lines have the same ID, which a schema cannot
// express. It accepts http URLs only if the caller allows them, for sandboxes.
package providerfile
