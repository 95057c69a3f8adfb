var request = new AcceptTermsRequest().termsType("Operator").version("2026-01");
var acceptance = client.user(userId).terms().accept(request);
System.out.println(acceptance.termsType() + " " + acceptance.acceptedAt());
