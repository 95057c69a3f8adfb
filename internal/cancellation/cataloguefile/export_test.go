package cataloguefile

import "aviso/internal/jsonlines"

// What the tests look at from outside.

// FormatProblem is formatProblem.
func FormatProblem(format string) string { return formatProblem(format) }

// StandardFormat is the format of a standard field.
func StandardFormat(key string) string { return standardFormats[key] }

// StandardFormats are the formats of all standard fields.
func StandardFormats() map[string]string { return standardFormats }

// Schema is the schema of a line.
func Schema() []byte { return schema }

// Formats are those that the schema names.
func Formats(letters Letters) jsonlines.Formats { return formats(letters) }
