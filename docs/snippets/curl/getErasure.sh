curl "$BASE_URL/identity/v1/erasures/$ERASURE_ID" \
  -H "Authorization: Bearer $TOKEN"
