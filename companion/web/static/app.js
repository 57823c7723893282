import "./page.js";
import "./follow.js";
import "./camera.js";
import "./seats.js";
import "./share.js";
import "./watch.js";
