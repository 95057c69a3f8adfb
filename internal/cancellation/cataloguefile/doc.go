// Package cataloguefile reads the file from which the catalogue is imported, and
// refuses it as a whole when anything in it is not valid, naming every fault.
//
// A file is JSON Lines (package jsonlines). A line is an object with one member, a
// category or an organization; catalogue.schema.json says what they are. The formats
// that the schema names are in text.go and, for the formats of templates, in format.go.
// What no schema can see is checked in parse.go: what one line says of another, and
// one part of an organization of another.
//
// Whatever letters print must be printable: names, addresses and labels. Locales are
// those in which there are letters, and a country is one that has a name in them.
package cataloguefile
