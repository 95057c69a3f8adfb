curl "$BASE_URL/openbanking/v1/accounts" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
