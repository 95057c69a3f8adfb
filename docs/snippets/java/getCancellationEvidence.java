byte[] evidence = client.user(userId).cancellations().getEvidence(cancellationId);
Files.write(Path.of("evidence.zip"), evidence);
