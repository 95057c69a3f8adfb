curl "$BASE_URL/openbanking/v1/insights/savings" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
