// Follow the game: when somebody else changes it, this page shows it within a moment.

import { onPage, refreshUnlessBusy, shown } from "./page.js";

let source = null;
let followed = "";

function follow(page) {
  const address = page.dataset.events || "";
  if (address === followed) return;
  source?.close();
  followed = address;
  source = null;
  if (!address) return;
  source = new EventSource(`${address}?after=${page.dataset.version}`);
  source.addEventListener("change", (event) => {
    const { version } = JSON.parse(event.data);
    if (version > Number(shown().dataset.version)) refreshUnlessBusy();
  });
}

onPage(follow);

// Work that takes minutes shows how far it is.
let timer = null;
onPage((page) => {
  clearTimeout(timer);
  if (page.dataset.refresh) timer = setTimeout(refreshUnlessBusy, Number(page.dataset.refresh));
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && followed) refreshUnlessBusy();
});
