package bankcheck

import "aviso/internal/jsonschema"

// What the tests look at from outside.

// Schema is the schema of a line.
func Schema() []byte { return schema }

// Formats are those that the schema names.
func Formats(allowHTTP bool) jsonschema.Formats { return formats(allowHTTP) }
