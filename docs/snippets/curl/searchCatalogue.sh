curl -G "$BASE_URL/cancellations/v1/search" \
  -H "Authorization: Bearer $TOKEN" \
  --data-urlencode "searchQuery=vidorma"
