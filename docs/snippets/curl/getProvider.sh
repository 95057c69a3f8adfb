curl "$BASE_URL/openbanking/v1/providers/$PROVIDER_ID" \
  -H "Authorization: Bearer $TOKEN"
