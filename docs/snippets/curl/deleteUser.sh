curl -X DELETE "$BASE_URL/identity/v1/users/$USER_ID" \
  -H "Authorization: Bearer $TOKEN"
