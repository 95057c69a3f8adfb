var list = client.user(userId).insights().listCategoryInsights();
for (var insight : list.insights()) {
    System.out.println(insight.category().name() + " " + insight.amount());
}
