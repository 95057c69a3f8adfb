curl "$BASE_URL/cancellations/v1/organizations/$ORGANIZATION_ID/products/$PRODUCT_ID/deadline?contractStart=2025-03-15&locale=de-DE" \
  -H "Authorization: Bearer $TOKEN"
