curl "$BASE_URL/openbanking/v1/insights/price-changes?locale=de-DE" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
