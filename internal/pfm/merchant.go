package pfm

import "github.com/google/uuid"

// MerchantID is the id of the merchant of a slug (UUIDv5, RFC 9562).
func MerchantID(slug string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/merchants/"+slug)).String()
}
