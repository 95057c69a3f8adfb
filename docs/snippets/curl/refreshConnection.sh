curl -X POST "$BASE_URL/openbanking/v1/connections/$CONNECTION_ID/refresh" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -H "X-Psu-Ip-Address: 203.0.113.7"
