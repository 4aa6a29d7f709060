/* Texts that lie over each other, or that are cut off where nobody can scroll to the rest. */
() => {
  const SCROLLS =
    "#settings, .lesson-text, .drawer-body, .panel-table, .import-table, dialog, .legend-rows, #thumbnail, .scroller, .study-chips, html[data-lesson] #panels, .ag-header-viewport, .ag-center-cols-viewport, .ag-body-viewport" +
    (innerWidth <= 900 ? ", .pl-sentence" : ""); // on a phone the rest of a long sentence is one tap away
  const layer = (element) => {
    for (let place = element; place; place = place.parentElement) if (["sticky", "fixed"].includes(getComputedStyle(place).position)) return place;
    return null;
  };
  /* Plotly cuts the signs of a plot at its axes, and says so where it does. */
  const beyond = (element, box) => {
    const plot = element.closest(".scatterlayer, .textpoint") && element.closest("[clip-path]") && element.closest(".js-plotly-plot");
    if (!plot) return false;
    const { xaxis, yaxis } = plot._fullLayout;
    const at = plot.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2 - at.left - xaxis._offset, (box.top + box.bottom) / 2 - at.top - yaxis._offset];
    return x < 0 || x > xaxis._length || y < 0 || y > yaxis._length;
  };
  /* Only heard: of a class, or by the size of the window. */
  const unseen = (element) => {
    for (let place = element; place; place = place.parentElement) if (getComputedStyle(place).clipPath === "inset(50%)") return true;
    return false;
  };
  const seen = [];
  const name = (element, text) => `${text.slice(0, 40)} <${element.closest("[id]")?.id}>`;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const cut = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const element = node.parentElement.closest("text") ?? node.parentElement; // an exponent belongs to its tick
    if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (unseen(element) || element.closest("script, style, noscript, option, .hint, .skip, #skeleton, .pl-tip, .toast, .ag-aria-description-container")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const svg = element.closest("svg");
    const boxes = svg ? [element.getBoundingClientRect()] : [...range.getClientRects()];
    let shown = boxes.filter((box) => box.width > 1 && box.height > 1 && !beyond(element, box));
    for (let place = element; place && place !== document.body && shown.length; place = place.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(place);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const frame = place.getBoundingClientRect();
      const inside = (box) => box.right > frame.left + 1 && box.left < frame.right - 1 && box.bottom > frame.top + 1 && box.top < frame.bottom - 1;
      if (place.matches(SCROLLS)) {
        shown = shown.filter(inside);
        if (place.matches(".ag-center-cols-viewport")) continue; // it scrolls sideways, within one that scrolls down
        break;
      }
      for (const box of shown)
        if (box.right > frame.right + 2 || box.left < frame.left - 2 || box.bottom > frame.bottom + 3 || box.top < frame.top - 3) {
          cut.push(`${name(element, text)} in ${place.id || place.className.baseVal || place.className}`);
          break;
        }
    }
    for (const box of shown) seen.push({ element, text, box });
  }
  const over = [];
  seen.sort((a, b) => a.box.top - b.box.top);
  for (let i = 0; i < seen.length; i++)
    for (let j = i + 1; j < seen.length && seen[j].box.top < seen[i].box.bottom - 3; j++) {
      const [a, b] = [seen[i], seen[j]];
      if (Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) <= 2) continue;
      if (Math.min(a.box.bottom, b.box.bottom) - b.box.top <= 3) continue;
      if (a.element === b.element || a.element.contains(b.element) || b.element.contains(a.element)) continue;
      if (layer(a.element) === layer(b.element)) over.push(`${name(a.element, a.text)} / ${name(b.element, b.text)}`);
    }
  /* The settings scroll, but only down. */
  const settings = document.querySelector("#settings");
  const sideways = Math.max(document.documentElement.scrollWidth - innerWidth, settings ? settings.scrollWidth - settings.clientWidth : 0);
  return { cut: [...new Set(cut)], over: [...new Set(over)], sideways };
}
