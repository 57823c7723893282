// Hand the sheet to the phone's own share sheet, where there is one; otherwise the link downloads it.

async function png(svgText) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svgText], { type: "image/svg+xml" }));
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = reject;
      image.src = address;
    });
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function share(link) {
  const text = await (await fetch(link.href)).text();
  if (link.dataset.share === "text") {
    if (navigator.share) await navigator.share({ text });
    else download(new Blob([text], { type: "text/plain" }), "mexican-train.txt");
    return;
  }
  const file = new File([await png(text)], "mexican-train.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] });
  else download(file, file.name);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-share]");
  if (!link) return;
  event.preventDefault();
  share(link).catch((error) => {
    if (error.name !== "AbortError") location.href = link.href;
  });
});
