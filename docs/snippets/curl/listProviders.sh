curl "$BASE_URL/openbanking/v1/providers?countryCode=DE&providerNameFilter=linden" \
  -H "Authorization: Bearer $TOKEN"
