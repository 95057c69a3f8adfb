try (var document = URI.create(baseUrl + "/openapi.yaml").toURL().openStream()) {
    Files.copy(document, Path.of("openapi.yaml"), StandardCopyOption.REPLACE_EXISTING);
}
