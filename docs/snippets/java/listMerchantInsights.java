var list = client.user(userId).insights().listMerchantInsights();
for (var insight : list.data().insights()) {
    System.out.println(insight.merchant().name() + " " + insight.amount());
}
