// The client needs no keys. A gateway that checks tokens takes this address.
var address = URI.create(baseUrl + "/.well-known/jwks.json");
try (var answer = address.toURL().openStream()) {
    System.out.println(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
}
