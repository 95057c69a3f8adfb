package pfm

import "github.com/google/uuid"

// Merchant is the merchant of a transaction; the zero value if unknown.
type Merchant struct{ ID, Name string }

// MerchantID returns the ID of the merchant with a slug (UUIDv5, RFC 9562).
func MerchantID(slug string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/merchants/"+slug)).String()
}

// WikidataID returns the ID of the merchant with an entity in Wikidata, such as "Q151954".
func WikidataID(entity string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("http://www.wikidata.org/entity/"+entity)).String()
}
