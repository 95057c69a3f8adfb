// Package providerfile reads the file from which bank providers are imported, and
// refuses it as a whole when anything in it is not valid, naming every fault.
//
// A file is JSON Lines (package jsonlines), one provider a line;
// providers.schema.json says what a provider is. The schema names formats that are
// checked here, and no schema can see that two lines have the same ID. A provider
// may be connected over http only where a reader is told so, which is where
// sandboxes are.
package providerfile
