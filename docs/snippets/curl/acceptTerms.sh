curl "$BASE_URL/identity/v1/users/$USER_ID/terms-acceptances" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"termsType": "Operator", "version": "2026-01"}'
