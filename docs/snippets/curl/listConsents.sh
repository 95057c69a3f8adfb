curl "$BASE_URL/openbanking/v1/connections/$CONNECTION_ID/consents" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
