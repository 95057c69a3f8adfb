curl "$BASE_URL/identity/v1/terms" \
  -H "Authorization: Bearer $TOKEN"
