curl "$BASE_URL/identity/v1/users" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"externalId": "customer-4711", "countryCode": "DE", "languageCode": "de"}'
