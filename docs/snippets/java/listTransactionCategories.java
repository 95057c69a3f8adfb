for (var category : client.transactions().listCategories()) {
    System.out.println(category.categoryName() + " " + category.subcategories());
}
