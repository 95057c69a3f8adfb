// What pages do on top of what they do without scripts: they follow the news, and take a signature.
const { news } = document.body.dataset;
const follows = ["way", "contracts", "savings", "spending", "reading", "passing"].some((name) => document.body.classList.contains(name));

/** Asks for the page again, and shows what is new. */
async function refresh() {
  const answer = await fetch(location.href);
  if (answer.redirected) {
    location.replace(answer.url); // the wait is over
    return;
  }
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  const main = document.querySelector("main");
  if (fresh && fresh.innerHTML !== main.innerHTML && !main.contains(document.activeElement?.closest("a, button"))) {
    document.body.classList.add("fresh");
    main.innerHTML = fresh.innerHTML;
  }
}

let waiting = 0;
function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => refresh().catch(() => {}), 200); // several events come at once
}

if (news && follows) {
  const source = new EventSource(news);
  source.addEventListener("message", soon);
  source.addEventListener("open", soon); // what came before it was open, or while it was away
}
if (document.querySelector("[data-poll]")) setInterval(() => refresh().catch(() => {}), 1000);

const form = document.querySelector("[data-signature]");
if (form) {
  const pad = form.querySelector(".pad");
  const canvas = pad.querySelector("canvas");
  const { picture } = form.elements;
  const pen = canvas.getContext("2d");
  pad.hidden = false;
  Object.assign(pen, { lineWidth: 4, lineCap: "round", lineJoin: "round", strokeStyle: "#14213d" });
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * canvas.width / box.width, (event.clientY - box.top) * canvas.height / box.height];
  };
  let drawing = false;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    drawing = true;
    pen.beginPath();
    pen.moveTo(...at(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drawing) return;
    pen.lineTo(...at(event));
    pen.stroke();
  });
  canvas.addEventListener("pointerup", () => {
    drawing = false;
    picture.value = canvas.toDataURL("image/png");
  });
  pad.querySelector(".clear").addEventListener("click", () => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    picture.value = "";
  });
}
