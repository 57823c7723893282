// Seats in order: drag a name round the drawn table or in the list, or move it with the arrow keys; names of earlier evenings are
// one tap away. The list is what counts (and what a screen reader hears); the drawing follows it.

import { onPage } from "./page.js";

function emptyField(list) {
  return [...list.querySelectorAll("input[name=name]")].find((field) => !field.value.trim());
}

function addSeat(list) {
  const seats = list.querySelectorAll("[data-seat]");
  if (seats.length >= Number(list.dataset.most)) return null;
  const seat = seats[seats.length - 1].cloneNode(true);
  const taken = [...list.querySelectorAll("input[name=colour]")].map((field) => field.value);
  const free = list.dataset.colours.split(" ").find((colour) => !taken.includes(colour));
  seat.querySelector("input[name=name]").value = "";
  if (free) seat.querySelector("input[name=colour]").value = free;
  list.append(seat);
  prepare(seat);
  number(list);
  return seat.querySelector("input[name=name]");
}

const MANY = 9; // from so many on the table is drawn larger, and the names smaller
const UP_DOWN = 0.4; // how far from the middle the seats lie, as shares of the drawing
const ACROSS = 0.38;

function seatsTaken(list) {
  return [...list.querySelectorAll("[data-seat]")].filter((seat) => seat.querySelector("input[name=name]").value.trim());
}

/** Draw the table anew: the first seat nearest to whoever holds the phone, the others clockwise from there. */
function drawTable(list, dragged) {
  const table = document.getElementById("round-table");
  if (!table) return;
  const seats = seatsTaken(list);
  table.hidden = seats.length < 2;
  table.classList.toggle("many", seats.length >= MANY);
  const chips = [...table.querySelectorAll(".seat-chip")];
  seats.forEach((seat, place) => {
    const chip = chips.find((one) => one.seat === seat) || newChip(table, list, seat);
    chip.firstChild.textContent = seat.querySelector("input[name=name]").value.trim();
    chip.style.borderColor = seat.querySelector("input[name=colour]").value;
    if (chip === dragged) return;
    const turn = Math.PI / 2 + (2 * Math.PI * place) / seats.length;
    chip.style.left = `${50 + 100 * ACROSS * Math.cos(turn)}%`;
    chip.style.top = `${50 + 100 * UP_DOWN * Math.sin(turn)}%`;
  });
  chips.filter((chip) => !seats.includes(chip.seat)).forEach((chip) => chip.remove());
}

function newChip(table, list, seat) {
  const chip = document.createElement("div");
  chip.className = "seat-chip";
  chip.seat = seat;
  chip.append(document.createElement("b"));
  chip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    chip.setPointerCapture(event.pointerId);
    chip.classList.add("dragged");
  });
  chip.addEventListener("pointermove", (event) => {
    if (chip.classList.contains("dragged")) follow(chip, table, list, event);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    chip.addEventListener(end, () => {
      chip.classList.remove("dragged");
      drawTable(list);
    });
  }
  table.append(chip);
  return chip;
}

/** A name under the finger: it takes the place of whoever sits where it is now, and those between move up. */
function follow(chip, table, list, event) {
  const { left, top, width, height } = table.getBoundingClientRect();
  const x = Math.min(1, Math.max(0, (event.clientX - left) / width));
  const y = Math.min(1, Math.max(0, (event.clientY - top) / height));
  chip.style.left = `${100 * x}%`;
  chip.style.top = `${100 * y}%`;
  const seats = seatsTaken(list);
  const turn = Math.atan2((y - 0.5) / UP_DOWN, (x - 0.5) / ACROSS) - Math.PI / 2;
  const place = (Math.round((turn / (2 * Math.PI)) * seats.length) + seats.length) % seats.length;
  const from = seats.indexOf(chip.seat);
  if (place === from) return;
  if (place > from) seats[place].after(chip.seat);
  else seats[place].before(chip.seat);
  number(list);
  drawTable(list, chip);
}

/** Say at each field which seat it is of, now. */
function number(list) {
  [...list.querySelectorAll("[data-seat]")].forEach((seat, place) => {
    const { nameLabel, colourLabel } = list.dataset;
    seat.querySelector("input[name=name]").ariaLabel = nameLabel.replace("0", place + 1);
    seat.querySelector("input[name=colour]").ariaLabel = colourLabel.replace("0", place + 1);
  });
}

const prepared = new WeakSet();

function prepare(seat) {
  if (prepared.has(seat)) return;
  prepared.add(seat);
  seat.querySelector(".grip-place").hidden = false;
  const grip = seat.querySelector("[data-move]");
  grip.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(seat, step);
    grip.focus();
  });
  grip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    seat.classList.add("dragged");
  });
  grip.addEventListener("pointermove", (event) => {
    if (!seat.classList.contains("dragged")) return;
    const { top, bottom } = seat.getBoundingClientRect();
    if (event.clientY < top - 8) move(seat, -1);
    if (event.clientY > bottom + 8) move(seat, 1);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    grip.addEventListener(end, () => seat.classList.remove("dragged"));
  }
}

function move(seat, step) {
  const other = step < 0 ? seat.previousElementSibling : seat.nextElementSibling;
  if (!other) return;
  if (step < 0) other.before(seat);
  else other.after(seat);
  number(seat.parentElement);
  drawTable(seat.parentElement);
}

onPage((page) => {
  const list = page.querySelector("#seats");
  if (!list) return;
  list.querySelectorAll("[data-seat]").forEach(prepare);
  drawTable(list);
});

document.addEventListener("input", (event) => {
  const list = event.target.closest?.("#seats");
  if (list) drawTable(list);
});

document.addEventListener("click", (event) => {
  const list = document.getElementById("seats");
  const button = event.target.closest?.("[data-add], [data-recent]");
  if (!list || !button) return;
  event.preventDefault();
  event.stopPropagation();
  if ("recent" in button.dataset) {
    const field = emptyField(list) || addSeat(list);
    if (!field) return;
    field.value = button.dataset.recent;
    button.hidden = true;
    drawTable(list);
  } else {
    addSeat(list)?.focus();
  }
}, true);
