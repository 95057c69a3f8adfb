package pfm

import "github.com/google/uuid"

// MerchantID returns the ID of the merchant with a slug (UUIDv5, RFC 9562).
func MerchantID(slug string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/merchants/"+slug)).String()
}
