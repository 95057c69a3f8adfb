curl "$BASE_URL/.well-known/jwks.json"
