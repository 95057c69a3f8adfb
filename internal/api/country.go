package api

import (
	"strings"

	"aviso/internal/api/apierror"
	"aviso/internal/textfold"
)

// CheckCountry rejects a countryCode that is not a country. An empty one counts as left out.
func CheckCountry(code string) error {
	if code == "" || textfold.IsCountry(strings.ToUpper(code)) {
		return nil
	}
	return apierror.Invalid(apierror.Field{
		Pointer: "/countryCode", Code: "invalid", Detail: "Must be a country code of ISO 3166-1, such as DE.",
	})
}
