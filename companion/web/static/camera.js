// Photograph a hand: the picture shows at once, what was read lands on it. On a protected address with a live view.

import { busy, onPage, showPage, shown } from "./page.js";

const canSeeLive = () => window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

function stageOf(page) {
  const stage = page.querySelector("[data-stage]");
  page.querySelector("[data-frame]")?.remove();
  stage.hidden = false;
  stage.replaceChildren();
  stage.className = "stage";
  return stage;
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function showLocal(stage, files) {
  for (const file of files) {
    const image = element("img");
    image.alt = "";
    image.src = URL.createObjectURL(file);
    image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
    stage.append(image);
  }
  const note = element("p", "waiting", stage.dataset.reading);
  note.setAttribute("role", "status");
  stage.append(note);
  stage.scrollIntoView({ block: "nearest" });
  return note;
}

async function send(form, files) {
  const page = document.getElementById("page");
  page.querySelectorAll(".stage[data-photo]").forEach((old) => old.remove());
  const stage = stageOf(page);
  const note = showLocal(stage, files);
  const done = busy();
  const body = new FormData(form);
  body.delete("photo");
  for (const file of files) body.append("photo", file, "photo.jpg");
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    showPage(await answer.text(), answer.redirected ? answer.url : location.href);
  } catch {
    // The same form is sent again with the same command: what arrived the first time is not done twice.
    const again = element("button", "main", stage.dataset.failed);
    again.type = "button";
    again.addEventListener("click", () => send(form, files), { once: true });
    note.replaceWith(again);
  } finally {
    done();
  }
}

async function openLive(form, page) {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: 3840 }, height: { ideal: 2160 } },
  });
  const done = busy();
  const stage = stageOf(page);
  const video = element("video");
  Object.assign(video, { autoplay: true, muted: true, playsInline: true, srcObject: stream });
  const shutter = element("button", "shutter");
  shutter.type = "button";
  shutter.setAttribute("aria-label", stage.dataset.shutter);
  // before the first frame there is nothing to take
  shutter.disabled = true;
  video.addEventListener("loadeddata", () => {
    shutter.disabled = false;
    shutter.focus();
  }, { once: true });
  stage.append(video, element("p", "hint", stage.dataset.hint), shutter);
  stage.scrollIntoView({ block: "start" });
  const close = () => {
    stream.getTracks().forEach((track) => track.stop());
    done();
  };
  shutter.addEventListener("click", async () => {
    const photo = await takePhoto(stream, video);
    close();
    send(form, [photo]);
  }, { once: true });
  document.addEventListener("htmx:beforeSwap", close, { once: true });
}

async function takePhoto(stream, video) {
  if ("ImageCapture" in window) {
    try {
      return await new ImageCapture(stream.getVideoTracks()[0]).takePhoto();
    } catch {
      // some cameras give a stream but no still; the frame that is shown will do
    }
  }
  const canvas = element("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
}

// What was chosen is taken out of its input: the same photo can be chosen once more, and no photo is sent twice.
function sendChosen(input) {
  const form = input.closest("form[data-camera]") ?? shown().querySelector("form[data-camera]");
  const files = [...input.files];
  if (!files.length || !form) return;
  input.value = "";
  send(form, files);
}

const CHOICES = "form[data-camera] input[type=file], [data-gallery]";
let padShown = null;

onPage((page) => {
  const pad = page.querySelector("#pad");
  if (pad && pad.action !== padShown) pad.scrollIntoView({ block: "end" });
  padShown = pad?.action ?? null;
  // somebody can be quicker than this script
  page.querySelectorAll(CHOICES).forEach(sendChosen);
});

document.addEventListener("change", (event) => {
  if (event.target.matches?.(CHOICES)) sendChosen(event.target);
});

document.addEventListener("click", (event) => {
  const input = event.target.closest?.("[data-choose]")?.querySelector("input[data-first]");
  const form = input?.closest("form[data-camera]");
  if (!form || event.target === input || form.dataset.refused || !canSeeLive()) return;
  event.preventDefault();
  openLive(form, shown()).catch(() => {
    form.dataset.refused = "1";
    input.click();
  });
});

// A tap on the table, beside the tiles, adds one there.
document.addEventListener("click", (event) => {
  const table = event.target.closest?.("[data-table]");
  const form = document.getElementById("add-tile");
  if (!table || !form) return;
  const drawing = table.ownerSVGElement;
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  form.elements.picture.value = table.closest("[data-photo]").dataset.photo;
  form.elements.x.value = Math.round(place.x);
  form.elements.y.value = Math.round(place.y);
  form.requestSubmit();
});
