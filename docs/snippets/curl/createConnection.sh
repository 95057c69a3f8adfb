curl "$BASE_URL/openbanking/v1/connections" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -H "Idempotency-Key: connect-$USER_ID" \
  -H "Content-Type: application/json" \
  -d "{\"providerId\": \"$PROVIDER_ID\", \"returnUrl\": \"https://partner.example/back\"}"
