// What htmx leaves to us: nothing that is being typed is replaced, and the log stays at its end.
"use strict";

function isAtWork(target) {
  const active = document.activeElement;
  const fields = target.querySelectorAll("input:not([type=hidden]):not([type=radio]), textarea");
  const typed = [...fields].some((field) => field.value !== field.defaultValue);
  return typed || (target.contains(active) && active.matches("input, textarea, select"));
}

function toTheEnd() {
  const log = document.querySelector(".log");
  if (log) log.scrollTop = log.scrollHeight;
}

// The step whose record is shown stays chosen when the ledger is drawn again.
document.addEventListener("click", (event) => {
  const lane = event.target.closest("a[data-step]");
  if (lane) document.getElementById("chosen").value = lane.dataset.step;
});

function isOfAnotherStep(event) {
  const chosen = document.getElementById("chosen");
  const asked = event.detail.requestConfig && event.detail.requestConfig.parameters.step;
  return event.detail.target.id === "ledger" && chosen && asked !== chosen.value;
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const target = event.detail.target;
  if (isOfAnotherStep(event)) {
    event.detail.shouldSwap = false;
    window.setTimeout(() => htmx.trigger(target, "sse:changed"), 0);
    return;
  }
  const wasAsked = event.detail.requestConfig && event.detail.requestConfig.verb !== "get";
  if (target.hasAttribute("data-keep") && !wasAsked && isAtWork(target)) {
    event.detail.shouldSwap = false;
    const news = document.getElementById("news");
    if (news) news.hidden = false;
  }
});

// Whoever works by keyboard stays where they were: what had the focus may be gone by now.
function keepTheFocus(event) {
  const lost = document.activeElement === document.body;
  if (lost && event.detail.target && event.detail.target.id === "talk") {
    (document.getElementById("text") || document.getElementById("main")).focus();
  }
}

// Before it is drawn, or the log would be seen from its beginning for a moment.
document.addEventListener("htmx:afterSwap", toTheEnd);
document.addEventListener("htmx:afterSettle", toTheEnd);
document.addEventListener("htmx:afterSettle", keepTheFocus);
document.addEventListener("htmx:sseMessage", toTheEnd);
document.addEventListener("DOMContentLoaded", toTheEnd);

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
