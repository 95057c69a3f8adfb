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
		"foreign-amount-for-good",
		"card-signs-inverted",
		"pending-booking-day-in-future",
		"pending-value-day-in-future",
		"date-with-time",
		"ultimate-creditor",
		"balance-of-type-information",
		"balances-only-at-own-address",
		"one-iban-many-pots-after-reconnect",
		"last-page-leads-to-itself",
		"pending-not-offered-without-code",
		"consent-wants-psu-id",
		"card-told-as-current-account",
		"bad-row-in-one-account-only",
	}
}
