curl "$BASE_URL/openbanking/v1/transactions/changes?limit=100" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
