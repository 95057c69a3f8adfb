curl -X DELETE "$BASE_URL/openbanking/v1/connections/$CONNECTION_ID" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
