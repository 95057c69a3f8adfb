curl "$BASE_URL/openbanking/v1/providers/countries" \
  -H "Authorization: Bearer $TOKEN"
