var product = client.catalogue().getProduct(organizationId, productId,
        options -> options.locale("de-DE"));
for (var field : product.template()) {
    System.out.println(field.fieldKey() + " " + field.label());
}
