// Package cataloguefile reads the file for an import of the catalogue. It rejects the whole file if anything in it is
// invalid, and reports every problem.
//
// A file is JSON Lines (package jsonschema). Each line is an object with one member, category or organization, as
// described by catalogue.schema.json. text.go implements the formats that the schema names, and format.go the one for
// template formats. parse.go checks what a schema cannot: references between lines and between the parts of an
// organization.
//
// Letters must be able to print all names, addresses and labels. They must exist for every locale, and each
// recipient's country must have a name in the letter's language.
package cataloguefile
