// Times are in UTC without this script. With it, a full time is in the viewer's own zone with
// UTC below, and the title of each time has both.
const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const isUTC = /^(UTC|Etc\/UTC|GMT)$/.test(local.resolvedOptions().timeZone);
function writeTimes(root) {
  if (isUTC) return;
  for (const time of root.querySelectorAll("time[datetime]")) {
    const utc = time.title;
    const own = local.format(new Date(time.dateTime));
    time.title = `${own} (${utc})`;
    if (time.classList.contains("at")) {
      time.textContent = own;
      time.nextElementSibling.prepend(`${utc}, `);
    }
  }
}
writeTimes(document);
