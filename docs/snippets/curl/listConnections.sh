curl "$BASE_URL/openbanking/v1/connections" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
