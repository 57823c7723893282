// Put a page that the server sent in the place of the one that is shown, without losing focus, scroll or open details.

/* global Idiomorph, htmx */

// What scripts and people changed on the page stays: opened details, buttons that were shown, the live picture.
const OURS = "#round-table, [data-watch], [data-stop], [data-watch-help], .grip-place, [data-recent]";
const AGAIN_MS = 3000;
let following = false;
// While somebody takes a photo or drags a name, the page is left alone; what was missed is fetched afterwards.
let hands = 0;
let missed = false;
let fetching = false;
// How often a page was put in place, here or by htmx
let shows = 0;

function isTyped(node) {
  if (node.tagName === "INPUT") return node.value !== node.defaultValue || node.checked !== node.defaultChecked;
  return node.tagName === "SELECT" || node.tagName === "OPTION" || node.tagName === "TEXTAREA";
}

Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) => {
  if (name === "open" && node.tagName === "DETAILS") return false;
  if (name === "hidden" && node.matches(OURS)) return false;
  // when somebody else changed the game, what is being typed here stays
  return !(following && ["value", "checked", "selected"].includes(name) && isTyped(node));
};
Idiomorph.defaults.callbacks.beforeNodeMorphed = (old, fresh) =>
  !(old.id === "live-notes" || (old.id === "live" && old.dataset.frames === fresh.dataset?.frames));

export function shown() {
  return document.getElementById("page");
}

export function showPage(html, url) {
  const sent = new DOMParser().parseFromString(html, "text/html");
  const page = sent.getElementById("page");
  if (!page) throw new Error("the server sent no page");
  shows += 1;
  Idiomorph.morph(shown(), page, { morphStyle: "outerHTML" });
  document.title = sent.title;
  if (url) history.replaceState(history.state, "", url);
  htmx.process(shown());
  shown().dispatchEvent(new CustomEvent("page:shown", { bubbles: true }));
}

async function fetchAndShow() {
  const asked = location.href;
  const before = shows;
  const answer = await fetch(asked, { headers: { Accept: "text/html" }, cache: "no-store" });
  const html = await answer.text();
  if (location.href !== asked || !answer.ok) return;
  if (hands > 0 || shows !== before) {
    // a photo was taken or a page shown meanwhile: what came is older than that
    missed = true;
    return;
  }
  following = true;
  try {
    showPage(html);
  } finally {
    following = false;
  }
}

export async function refreshUnlessBusy() {
  if (hands > 0 || fetching) {
    missed = true;
    return;
  }
  missed = false;
  fetching = true;
  try {
    await fetchAndShow();
  } catch {
    // the server is away for a while
    setTimeout(refreshUnlessBusy, AGAIN_MS);
  } finally {
    fetching = false;
    refreshIfMissed();
  }
}

function refreshIfMissed() {
  if (missed && hands === 0) refreshUnlessBusy();
}

export function busy() {
  hands += 1;
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    hands -= 1;
    refreshIfMissed();
  };
}

document.addEventListener("htmx:afterSwap", () => {
  shows += 1;
});

export function onPage(enhance) {
  const run = () => enhance(shown());
  document.addEventListener("page:shown", run);
  document.addEventListener("htmx:afterSettle", run);
  run();
}
