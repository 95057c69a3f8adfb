// Package deadline computes when a contract can end, and until when its cancellation must be sent. It combines the
// terms of the product with the statutes that override them, and explains each step with its source. It reads nothing
// and has no clock.
//
// Days are counted as in civil codes. A term of months ends on the day before the day with the number of its start. A
// notice period ends on the day with the number of the day of arrival. If a month is too short for that day, its last
// day counts.
package deadline
