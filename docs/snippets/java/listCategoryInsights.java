var list = client.user(userId).insights().listCategoryInsights();
for (var insight : list.data().insights()) {
    System.out.println(insight.category().name() + " " + insight.amount());
}
