var receipt = client.users().getErasure(erasureId);
System.out.println(receipt.status() + " " + receipt.counts());
