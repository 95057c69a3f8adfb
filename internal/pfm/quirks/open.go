package quirks

// Open returns the scenarios that need not hold yet, by name.
func Open() []string {
	return []string{
		"consent-wants-psu-id",
	}
}
