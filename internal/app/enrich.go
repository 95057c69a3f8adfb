package app

import "aviso/internal/pfm"

// uncategorised leaves every transaction without category and merchant.
type uncategorised struct{}

func (uncategorised) Enrich(pfm.Transaction, string) (pfm.Category, pfm.Merchant, pfm.CategorySource, string) {
	return pfm.Uncategorised(), pfm.Merchant{}, pfm.SourceNone, ""
}
