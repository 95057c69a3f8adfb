curl "$BASE_URL/openapi.yaml" -o openapi.yaml
