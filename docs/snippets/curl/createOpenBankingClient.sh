curl "$BASE_URL/openbanking/v1/clients" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -H "Content-Type: application/json" \
  -d '{"countryCode": "DE", "languageCode": "de"}'
