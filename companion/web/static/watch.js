// The live table. One phone or the laptop shows it to the server, a frame at a time: the answer to a frame is the sign to send
// the next. Everybody else looks on.

import { onPage } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const LONG_SIDE = 1600;
const QUALITY = 0.8;
const LEAST_GAP_MS = 120;

function make(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function drawChip(chip, size) {
  const wide = Math.max(1, chip.text.length * 0.62) * size + size * 0.5;
  const group = make("g", { class: `live-chip ${chip.state}` });
  group.append(
    make("rect", { x: chip.x - wide / 2, y: chip.y - size * 0.72, width: wide, height: size * 1.44, rx: size * 0.5, class: "chip-ground" }),
    make("text", { x: chip.x, y: chip.y, "font-size": size, class: "chip-text" }, chip.text),
  );
  return group;
}

function draw(stage, look) {
  if (!look || !look.size_wh) return;
  const over = stage.querySelector("svg");
  over.setAttribute("viewBox", `0 0 ${look.size_wh[0]} ${look.size_wh[1]}`);
  over.replaceChildren(
    ...look.trains.map((train) => make("polyline", { points: train.points, stroke: train.colour, class: "live-train", "stroke-width": look.text_px * 0.5 })),
    ...look.outlines.map((outline) => make("polygon", { points: outline.points, class: `quad ${outline.state}` })),
    ...look.chips.map((chip) => drawChip(chip, look.text_px)),
  );
  over.setAttribute("aria-label", look.notes.map((note) => note.text).join(" "));
  const notes = document.getElementById("live-notes");
  const lines = look.notes.map((note) => {
    const line = document.createElement("p");
    line.className = note.state === "quiet" ? "quiet small" : `say ${note.state}`;
    line.textContent = note.text;
    return line;
  });
  if (notes && notes.textContent !== lines.map((line) => line.textContent).join("")) notes.replaceChildren(...lines);
  stage.dataset.tiles = look.tiles;
}

let watching = null;
let looking = null;
let prepared = null;

function say(className, text) {
  const line = document.createElement("p");
  line.className = className;
  line.textContent = text;
  // somebody may have left the page while a frame was on its way
  document.getElementById("live-notes")?.replaceChildren(line);
}

class Camera {
  constructor(stage, stream) {
    this.stage = stage;
    this.stream = stream;
    this.on = true;
    this.name = crypto.randomUUID?.() ?? `camera-${Math.random().toString(36).slice(2)}${Date.now()}`;
    this.canvas = document.createElement("canvas");
    this.token = document.querySelector("meta[name=csrf-token]").content;
    this.sent = 0;
  }

  async frame(video) {
    const scale = Math.min(1, LONG_SIDE / Math.max(video.videoWidth, video.videoHeight));
    this.canvas.width = Math.round(video.videoWidth * scale);
    this.canvas.height = Math.round(video.videoHeight * scale);
    this.canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0, this.canvas.width, this.canvas.height);
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/jpeg", QUALITY));
  }

  async run(video) {
    while (this.on) {
      const begun = performance.now();
      if (video.videoWidth && !document.hidden) await this.sendOne(video);
      const left = LEAST_GAP_MS - (performance.now() - begun);
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    }
  }

  async sendOne(video) {
    try {
      const answer = await fetch(`${this.stage.dataset.frames}?camera=${this.name}`, {
        method: "POST",
        body: await this.frame(video),
        headers: { "Content-Type": "image/jpeg", "X-CSRFToken": this.token, Accept: "application/json" },
      });
      const told = await answer.json();
      if (answer.ok) draw(this.stage, told);
      else this.trouble(`${told.title} ${told.detail}`);
      if (answer.status === 409 || answer.status === 401) this.stop();
      this.sent += 1;
      this.stage.dataset.sent = this.sent;
    } catch {
      this.trouble(this.stage.dataset.lost);
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
  }

  trouble(text) {
    say("say wrong", text);
  }

  stop() {
    if (!this.on) return;
    this.on = false;
    this.stream.getTracks().forEach((track) => track.stop());
    watching = null;
  }
}

async function watch(stage) {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } },
  });
  looking?.close();
  looking = null;
  const video = document.createElement("video");
  Object.assign(video, { autoplay: true, muted: true, playsInline: true, srcObject: stream });
  stage.querySelector("img, video")?.remove();
  stage.prepend(video);
  stage.hidden = false;
  document.querySelector("[data-watch]").hidden = true;
  document.querySelector("[data-stop]").hidden = false;
  say("quiet", stage.dataset.begin);
  watching = new Camera(stage, stream);
  watching.run(video);
}

function lookOn(stage) {
  looking?.close();
  looking = new EventSource(stage.dataset.events);
  looking.addEventListener("look", (event) => {
    const look = JSON.parse(event.data);
    if (!look.size_wh || watching) return;
    let image = stage.querySelector("img");
    if (!image) {
      image = document.createElement("img");
      image.alt = "";
      stage.querySelector("video")?.remove();
      stage.prepend(image);
    }
    stage.hidden = false;
    image.src = `${stage.dataset.picture}?frame=${look.frame}`;
    draw(stage, look);
  });
}

onPage((page) => {
  const stage = page.querySelector("[data-live]");
  if (!stage) {
    watching?.stop();
    looking?.close();
    looking = prepared = null;
    return;
  }
  if (stage === prepared) return;
  prepared = stage;
  const button = page.querySelector("[data-watch]");
  const possible = window.isSecureContext && navigator.mediaDevices?.getUserMedia;
  button.hidden = !possible;
  page.querySelector("[data-watch-help]").hidden = Boolean(possible);
  lookOn(stage);
});

document.addEventListener("click", (event) => {
  const stage = document.querySelector("[data-live]");
  if (!stage) return;
  if (event.target.closest?.("[data-watch]")) {
    watch(stage).catch(() => {
      document.querySelector("[data-watch-help]").hidden = false;
    });
  }
  if (event.target.closest?.("[data-stop]")) {
    watching?.stop();
    document.querySelector("[data-watch]").hidden = false;
    document.querySelector("[data-stop]").hidden = true;
    lookOn(stage);
  }
});

document.addEventListener("change", (event) => {
  if (event.target.matches?.("[data-still]") && event.target.files.length) event.target.form.requestSubmit();
});
