// The client knows where to get a token. An OAuth library reads it here.
var address = URI.create(baseUrl + "/.well-known/oauth-authorization-server");
try (var answer = address.toURL().openStream()) {
    System.out.println(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
}
