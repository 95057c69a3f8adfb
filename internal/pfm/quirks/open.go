package quirks

// Open returns the scenarios that need not hold yet, by name.
func Open() []string {
	return []string{
		"booked-reworded-no-id",
		"id-notprovided-pending-replaced",
		"told-twice-under-two-ids",
		"pending-and-booked-at-once",
		"booked-row-gets-new-id-and-day",
		"placeholder-while-pending-no-id",
		"consent-wants-psu-id",
	}
}
