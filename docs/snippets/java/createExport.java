var export = client.users().createExport(userId);
export.files().forEach(file -> System.out.println(file.name() + " " + file.url()));
