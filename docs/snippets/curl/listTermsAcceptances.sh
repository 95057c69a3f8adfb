curl "$BASE_URL/identity/v1/users/$USER_ID/terms-acceptances" \
  -H "Authorization: Bearer $TOKEN"
