package cataloguefile

import "aviso/internal/jsonschema"

// FormatProblem calls formatProblem.
func FormatProblem(format string) string { return formatProblem(format) }

// Schema returns the JSON Schema of a line.
func Schema() []byte { return schema }

// Formats returns the formats that the schema names.
func Formats() jsonschema.Formats { return formats() }
