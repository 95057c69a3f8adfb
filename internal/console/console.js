// Times are in UTC without this script. With it, the title of each also has the viewer's own.
for (const time of document.querySelectorAll("time[datetime]")) {
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
  time.title = `${local.format(new Date(time.dateTime))} (${time.title})`;
}
