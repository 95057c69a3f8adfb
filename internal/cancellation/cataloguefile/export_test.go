package cataloguefile

import "aviso/internal/jsonschema"

// FormatProblem calls formatProblem.
func FormatProblem(format string) string { return formatProblem(format) }

// StandardFormat returns the format of a standard field.
func StandardFormat(key string) string { return standardFormats[key] }

// StandardFormats returns the formats of the standard fields that have one.
func StandardFormats() map[string]string { return standardFormats }

// StandardLabels returns the labels of the standard fields by language and locale.
func StandardLabels() map[string]map[string]string { return standardLabels() }

// Schema returns the JSON Schema of a line.
func Schema() []byte { return schema }

// Formats returns the formats that the schema names.
func Formats() jsonschema.Formats { return formats() }
