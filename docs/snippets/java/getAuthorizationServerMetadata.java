// The client knows where to get a token. An OAuth library reads it here.
try (var answer = URI.create(baseUrl + "/.well-known/oauth-authorization-server").toURL().openStream()) {
    System.out.println(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
}
