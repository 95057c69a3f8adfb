curl "$BASE_URL/cancellations/v1/organizations/$ORGANIZATION_ID" \
  -H "Authorization: Bearer $TOKEN"
