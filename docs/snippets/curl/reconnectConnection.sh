curl "$BASE_URL/openbanking/v1/connections/$CONNECTION_ID/reconnect" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -H "Content-Type: application/json" \
  -d '{"returnUrl": "https://partner.example/back"}'
