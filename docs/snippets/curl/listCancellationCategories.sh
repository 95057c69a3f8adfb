curl "$BASE_URL/cancellations/v1/categories" \
  -H "Authorization: Bearer $TOKEN"
