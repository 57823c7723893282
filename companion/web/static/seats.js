// Seats in order: drag a name, or move it with the arrow keys; names of earlier evenings are one tap away.

import { onPage } from "./page.js";

function emptyField(list) {
  return [...list.querySelectorAll("input[name=name]")].find((field) => !field.value.trim());
}

function addSeat(list) {
  const seats = list.querySelectorAll("[data-seat]");
  if (seats.length >= Number(list.dataset.most)) return null;
  const seat = seats[seats.length - 1].cloneNode(true);
  seat.querySelector("input[name=name]").value = "";
  list.append(seat);
  prepare(seat);
  return seat.querySelector("input[name=name]");
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
}

onPage((page) => {
  const list = page.querySelector("#seats");
  if (!list) return;
  list.querySelectorAll("[data-seat]").forEach(prepare);
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
  } else {
    addSeat(list)?.focus();
  }
}, true);
