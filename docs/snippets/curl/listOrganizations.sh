curl "$BASE_URL/cancellations/v1/organizations" \
  -H "Authorization: Bearer $TOKEN"
