curl "$BASE_URL/openbanking/v1/insights/merchants" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
