curl -X POST "$BASE_URL/identity/v1/users/$USER_ID/exports" \
  -H "Authorization: Bearer $TOKEN"
