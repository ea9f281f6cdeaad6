// What htmx leaves to us, such as not replacing text that is being typed.
"use strict";

function isAtWork(target) {
  const active = document.activeElement;
  const fields = target.querySelectorAll("input:not([type=hidden]):not([type=radio]), textarea");
  const typed = [...fields].some((field) =>
    field.type === "checkbox"
      ? field.checked !== field.defaultChecked
      : field.value !== field.defaultValue,
  );
  return typed || (target.contains(active) && active.matches("input, textarea, select"));
}

// One box selects every question that can be answered together.
document.addEventListener("change", (event) => {
  const all = event.target.dataset && event.target.dataset.all;
  if (!all) return;
  for (const box of document.querySelectorAll(`[form="${all}"]`)) box.checked = event.target.checked;
});

// A plan that was opened or closed stays so when the ledger is replaced.
const opened = new Map();

document.addEventListener(
  "click",
  (event) => {
    const summary = event.target.closest("details.drawn > summary");
    if (summary) opened.set(summary.parentElement.id, !summary.parentElement.open);
  },
  true,
);

function drawnAsBefore() {
  for (const [id, open] of opened) {
    const drawn = document.getElementById(id);
    if (drawn) drawn.open = open;
  }
}

// The title and the placeholder follow the conversation; the field itself is not replaced.
function fitTheMoment() {
  const log = document.querySelector(".log[data-moment]");
  const text = document.getElementById("text");
  if (log && text) text.placeholder = log.dataset.moment;
  const title = document.getElementById("title");
  if (log && title) {
    title.textContent = log.dataset.title;
    document.title = `${log.dataset.title} \u00b7 Daybook`;
  }
}

// The selected step stays selected when the ledger is replaced.
document.addEventListener("click", (event) => {
  const lane = event.target.closest("a[data-step]");
  if (lane) document.getElementById("chosen").value = lane.dataset.step;
});

function isOfAnotherStep(event) {
  const chosen = document.getElementById("chosen");
  const asked = event.detail.requestConfig && event.detail.requestConfig.parameters.step;
  return event.detail.target.id === "ledger" && chosen && asked !== chosen.value;
}

// A refusal is shown below the conversation, and replaces nothing.
document.addEventListener("htmx:beforeSwap", (event) => {
  const refused = document.getElementById("refused");
  if (!refused || event.detail.target.id !== "talk") return;
  refused.textContent = "";
  if (event.detail.xhr.status < 400) return;
  event.detail.target = refused;
  event.detail.swapOverride = "innerHTML";
});

// Tell the user when the server cannot be reached.
function tellIfLost(isLost) {
  document.getElementById("lost").hidden = !isLost;
}

// After a failed click the notice is scrolled to: nothing lies over the page.
for (const name of ["htmx:sendError", "htmx:timeout"])
  document.addEventListener(name, () => {
    tellIfLost(true);
    document.getElementById("lost").scrollIntoView({ block: "nearest" });
  });
document.addEventListener("htmx:beforeSwap", () => tellIfLost(false));
// The stream of a run ends with the run; the stream of the page ends only with the server.
for (const name of ["htmx:sseError", "htmx:sseOpen"])
  document.addEventListener(name, (event) => {
    const stream = event.target.getAttribute("sse-connect") || "";
    if (stream.includes("/live")) tellIfLost(name === "htmx:sseError");
  });

document.addEventListener("htmx:beforeSwap", (event) => {
  const target = event.detail.target;
  if (isOfAnotherStep(event)) {
    event.detail.shouldSwap = false;
    window.setTimeout(() => htmx.trigger(target, "sse:changed"), 0);
    return;
  }
  const asking = event.detail.requestConfig && event.detail.requestConfig.elt;
  const wasAsked = asking && asking !== target && asking.matches("a, button, form");
  if (target.hasAttribute("data-keep") && !wasAsked && isAtWork(target)) {
    event.detail.shouldSwap = false;
    const news = document.getElementById("news");
    if (news) news.hidden = false;
  }
});

// Keep the keyboard focus in the conversation when the focused element was replaced.
function keepTheFocus(event) {
  const lost = document.activeElement === document.body;
  if (lost && event.detail.target && event.detail.target.id === "talk") {
    (document.getElementById("text") || document.getElementById("main")).focus();
  }
}

document.addEventListener("htmx:afterSettle", keepTheFocus);
document.addEventListener("htmx:afterSwap", drawnAsBefore);
document.addEventListener("htmx:afterSwap", fitTheMoment);

// The title shows the number of open questions; a browser with permission notifies of new ones.
let waited = null;

function tellHowMuchWaits() {
  const count = document.getElementById("count");
  if (!count) return;
  const now = Number(count.dataset.count);
  document.title = `${now ? `(${now.toLocaleString("en")}) ` : ""}Inbox \u00b7 Daybook`;
  const may = "Notification" in window && Notification.permission === "granted";
  if (may && waited !== null && now > waited && document.hidden)
    new Notification("Daybook", { body: `Open questions: ${now.toLocaleString("en")}`, tag: "daybook" });
  waited = now;
  const ask = document.getElementById("notify");
  ask.hidden = !("Notification" in window) || Notification.permission !== "default";
  ask.onclick = () => Notification.requestPermission().then(tellHowMuchWaits);
}

document.addEventListener("DOMContentLoaded", tellHowMuchWaits);
document.addEventListener("htmx:afterSwap", tellHowMuchWaits);

// In the inbox, selected questions stay selected when the list is replaced, and the address follows.
let chosen = [];

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "list") return;
  chosen = [...document.querySelectorAll("#list .choose input:checked")].map((box) => box.name);
});

document.addEventListener("htmx:afterSwap", () => {
  const list = document.getElementById("list");
  if (!list) return;
  for (const name of chosen) {
    const box = list.querySelector(`[name="${CSS.escape(name)}"]`);
    if (box) box.checked = true;
  }
  chosen = [];
  history.replaceState(null, "", list.dataset.here);
  const news = document.querySelector("#news a");
  if (news) news.href = list.dataset.here;
});

// Keyboard shortcuts of the inbox. None of them sends anything.
function rowsOfInbox() {
  return [...document.querySelectorAll("#list .row .what a")];
}

function move(by) {
  const rows = rowsOfInbox();
  const at = rows.indexOf(document.activeElement);
  const opened = rows.findIndex((row) => row.getAttribute("aria-expanded") === "true");
  const from = at >= 0 ? at : opened >= 0 ? opened : by > 0 ? -1 : rows.length;
  const next = rows[Math.min(Math.max(from + by, 0), rows.length - 1)];
  if (next) next.focus();
}

function currentRow() {
  const rows = rowsOfInbox();
  return rows.find((row) => row === document.activeElement);
}

function leadTo(key) {
  const button = document.querySelector(`.row.open [data-key="${key}"], #list > .question [data-key="${key}"]`);
  if (button) button.focus();
}

function choose() {
  const row = currentRow() && currentRow().closest("tr");
  const box = row && row.querySelector(".choose input");
  if (box) box.checked = !box.checked;
}

const KEYS = {
  j: () => move(1),
  ArrowDown: () => move(1),
  k: () => move(-1),
  ArrowUp: () => move(-1),
  o: () => currentRow() && currentRow().click(),
  x: choose,
  a: () => leadTo("a"),
  r: () => leadTo("r"),
  "?": () => document.getElementById("keys").showModal(),
};

function isTyping(target) {
  return target.matches("textarea, select, [contenteditable], input:not([type=checkbox])");
}

document.addEventListener("keydown", (event) => {
  const keys = document.getElementById("keys");
  if (!keys || keys.open || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!KEYS[event.key] || isTyping(event.target)) return;
  event.preventDefault();
  KEYS[event.key]();
});

document.addEventListener("DOMContentLoaded", () => {
  const show = document.getElementById("show-keys");
  if (!show) return;
  show.hidden = false;
  show.onclick = KEYS["?"];
});

// While a user looks at the inbox, the server sends that user fewer notifications.
function sayThatSomebodyLooks() {
  const token = document.querySelector("input[name=form_token]");
  if (document.hidden || location.pathname !== "/console/inbox" || !token) return;
  const body = new URLSearchParams({ form_token: token.value });
  fetch("/console/inbox/here", { method: "POST", body }).catch(() => {});
}

document.addEventListener("DOMContentLoaded", sayThatSomebodyLooks);
document.addEventListener("visibilitychange", sayThatSomebodyLooks);
window.setInterval(sayThatSomebodyLooks, 25000);

document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target;
  if (form.matches && form.matches(".composer") && event.detail.successful) {
    form.reset();
    form.querySelector("textarea").focus();
  }
});

document.addEventListener("keydown", (event) => {
  const form = event.target.closest && event.target.closest(".composer");
  if (form && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});

// Relative times stay true while a page is open; pages.py writes them in the same way.
const UNITS = [["second", 1, 60], ["minute", 60, 5400], ["hour", 3600, 172800], ["day", 86400, Infinity]];

function writeTimes() {
  for (const time of document.querySelectorAll('time:not([data-how=""])')) {
    const seconds = (Date.now() - Date.parse(time.dateTime)) / 1000;
    const [unit, length] = UNITS.find(([, , below]) => Math.abs(seconds) < below);
    const count = Math.round(Math.abs(seconds) / length);
    const words = `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;
    if (time.dataset.how === "since") time.textContent = words;
    else if (Math.abs(seconds) < 5) time.textContent = "just now";
    else time.textContent = seconds > 0 ? `${words} ago` : `in ${words}`;
  }
}

window.setInterval(writeTimes, 15000);
