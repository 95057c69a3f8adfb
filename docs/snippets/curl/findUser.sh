curl "$BASE_URL/identity/v1/users?externalId=customer-4711" \
  -H "Authorization: Bearer $TOKEN"
