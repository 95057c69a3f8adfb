curl "$BASE_URL/cancellations/v1/organizations/$ORGANIZATION_ID/products" \
  -H "Authorization: Bearer $TOKEN"
