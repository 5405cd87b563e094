/** Reads values off the convergence curve under the pointer. The page is complete without it. */
export const pageScript = `
(() => {
  const figure = document.getElementById("curve");
  const data = document.getElementById("curve-points");
  if (!figure || !data) return;
  const { points, lastTold, left, right, width } = JSON.parse(data.textContent);
  const svg = figure.querySelector("svg"), hover = figure.querySelector(".hover"), readout = figure.querySelector(".readout");
  const [line, dot] = hover.children;
  const resting = readout.textContent;
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width;
    const told = ((x - left) / (width - left - right)) * lastTold;
    if (told < 0 || told > lastTold) return leave();
    let found = points[0];
    for (const point of points) { if (point[0] > told) break; found = point; }
    const at = Math.max(x, left);
    line.setAttribute("x1", at); line.setAttribute("x2", at);
    dot.setAttribute("cx", at); dot.setAttribute("cy", found[2]);
    hover.setAttribute("visibility", "visible");
    readout.textContent = found[1] + " after " + Math.round(Math.max(told, found[0])).toLocaleString("en-US") + " tells";
  });
  svg.addEventListener("pointerleave", leave);
  function leave() { hover.setAttribute("visibility", "hidden"); readout.textContent = resting; }
})();
`;
