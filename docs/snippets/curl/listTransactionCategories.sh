curl "$BASE_URL/openbanking/v1/categories" \
  -H "Authorization: Bearer $TOKEN"
