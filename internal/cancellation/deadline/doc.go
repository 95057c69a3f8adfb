// Package deadline computes when a contract can end, and until when its cancellation
// must be sent. It combines the terms of the product with the statutes that beat them,
// and explains each step with its source. It reads nothing and knows no time of its own.
//
// Days are counted as civil codes do: a term of months ends on the day before the day
// with the number of its start, and a notice period ends on the day with the number of the
// day of arrival. Where a month is too short for that day, it is the month's last.
package deadline
