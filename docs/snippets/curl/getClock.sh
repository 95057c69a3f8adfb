curl "$BASE_URL/sandbox/v1/users/$USER_ID/clock" \
  -H "Authorization: Bearer $TOKEN"
