var acceptance = client.user(userId).terms().accept(new AcceptTermsRequest()
        .termsType("Operator").version("2026-01"));
System.out.println(acceptance.termsType() + " " + acceptance.acceptedAt());
