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

// Texts that people copy have a button.
function addCopyButtons(root) {
  if (!navigator.clipboard) return;
  for (const code of root.querySelectorAll("pre > code, dd > code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    const name = code.closest("figure, .empty, div")?.querySelector("figcaption, dt, h2");
    if (name) button.setAttribute("aria-label", `Copy: ${name.textContent}`);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    code.parentElement.after(button);
    if (code.parentElement.tagName === "DD") code.parentElement.append(button);
  }
}
addCopyButtons(document);

// A live list asks for new rows every few seconds, while somebody may look at it, for an hour.
const every = 5000;
const list = document.querySelector("[data-live]");
const rowsOf = (root) => [...root.querySelectorAll("tbody tr")];
const nameOf = (row) => row.querySelector("a")?.href + row.querySelector("time")?.dateTime;
let asks = list ? 3600000 / every : 0;
async function ask() {
  if (document.hidden || list.contains(document.activeElement)) return;
  const answer = await fetch(location.href, { headers: { "Aviso-Live": "1" } });
  if (!answer.ok || answer.redirected) {
    asks = 0; // the session has ended
    return;
  }
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-live]");
  const known = new Set(rowsOf(list).map(nameOf));
  list.replaceChildren(...found.childNodes);
  const added = rowsOf(list).filter((row) => !known.has(nameOf(row)));
  for (const row of added) row.classList.add("new");
  if (added.length > 0) document.querySelector(".live [role=status]").textContent = `${added.length} new`;
  writeTimes(list);
}
function askAgain() {
  if (asks-- > 0) setTimeout(() => ask().catch(() => {}).finally(askAgain), every);
}
askAgain();
