curl "$BASE_URL/identity/v1/users/$USER_ID/exports/$EXPORT_ID" \
  -H "Authorization: Bearer $TOKEN"
