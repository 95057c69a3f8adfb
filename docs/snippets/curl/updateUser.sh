curl -X PATCH "$BASE_URL/identity/v1/users/$USER_ID" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"languageCode": "fr"}'
