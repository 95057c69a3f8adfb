byte[] letter = client.user(userId).cancellations().getLetter(cancellationId);
Files.write(Path.of("letter.pdf"), letter);
