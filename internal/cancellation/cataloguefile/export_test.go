package cataloguefile

// What the tests look at from outside.

// FormatProblem is formatProblem.
func FormatProblem(format string) string { return formatProblem(format) }

// StandardFormat is the format of a standard field.
func StandardFormat(key string) string { return standardFormats[key] }

// StandardFormats are the formats of all standard fields.
func StandardFormats() map[string]string { return standardFormats }
