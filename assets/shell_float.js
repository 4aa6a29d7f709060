/* What floats above the page: toast, bubble, menu, dialogs, drawers, sheet; and the way back from each by Esc. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const float = (plateau.float = {});
  const one = (selector, root = document) => root.querySelector(selector);
  let toastTimer = 0, owner = null;

  plateau.toast = (text) => {
    const toast = one("#toast");
    toast.textContent = text;
    toast.classList.add("shown");
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => {
      toast.classList.remove("shown");
      toastTimer = setTimeout(() => { toast.textContent = ""; }, 300);
    }, 3200);
  };

  function place(box, anchor) {
    box.hidden = false;
    const at = anchor.getBoundingClientRect();
    const width = box.offsetWidth, height = box.offsetHeight;
    const left = Math.max(8, Math.min(at.left, innerWidth - width - 8));
    const below = at.bottom + 6 + height <= innerHeight - 8;
    box.style.left = `${left}px`;
    box.style.top = `${Math.max(8, below ? at.bottom + 6 : at.top - height - 6)}px`;
  }

  plateau.bubble = (anchor, text) => {
    const bubble = one("#bubble");
    if (!bubble.hidden && owner === anchor) return float.closeSmall();
    float.closeSmall();
    bubble.textContent = text;
    owner = anchor;
    anchor.setAttribute("aria-expanded", "true");
    place(bubble, anchor);
  };

  /* items: {text, act} or {text, href}, null for a line; or a function that makes the rows itself. */
  plateau.menu = (anchor, items) => {
    const menu = one("#menu");
    if (!menu.hidden && owner === anchor) return float.closeSmall();
    float.closeSmall();
    menu.setAttribute("role", typeof items === "function" ? "group" : "menu");
    menu.setAttribute("aria-label", anchor.getAttribute("aria-label") || anchor.textContent);
    menu.replaceChildren(...(typeof items === "function" ? items() : items.map((item) => {
      if (!item) return document.createElement("hr");
      const row = document.createElement(item.href ? "a" : "button");
      row.textContent = item.text;
      row.setAttribute("role", "menuitem");
      if (item.href) Object.assign(row, { href: item.href, download: "" });
      else Object.assign(row, { type: "button" });
      row.addEventListener("click", () => { float.closeSmall(); item.act?.(); });
      return row;
    })));
    owner = anchor;
    anchor.setAttribute("aria-expanded", "true");
    place(menu, anchor);
    one("button, a, input", menu)?.focus();
  };

  float.closeSmall = (refocus = false) => {
    const open = !one("#bubble").hidden || !one("#menu").hidden;
    one("#bubble").hidden = one("#menu").hidden = true;
    owner?.setAttribute("aria-expanded", "false");
    if (refocus) owner?.focus();
    owner = null;
    return open;
  };

  float.sheet = (open) => {
    document.documentElement.toggleAttribute("data-sheet", open);
    one("#settings-button").setAttribute("aria-expanded", String(open));
    if (open) one("#settings-close").focus();
    else one("#settings-button").focus();
  };

  float.stages = (open) => {
    plateau.link.setView({ stages: open });
    if (open) one("#stages-close").focus();
    else one("#stages-button").focus();
  };
  float.applyView = () => {
    const open = Boolean(plateau.link.view.stages);
    one("#stages").hidden = !open;
    one("#stages-button").setAttribute("aria-expanded", String(open));
    document.documentElement.toggleAttribute("data-present", Boolean(plateau.link.view.present));
    document.documentElement.toggleAttribute("data-embed", Boolean(plateau.link.view.embed));
  };

  /* Esc closes the topmost thing; a dialog closes itself. */
  float.escape = () => {
    if (float.closeSmall(true)) return true;
    if (document.documentElement.hasAttribute("data-sheet")) { float.sheet(false); return true; }
    if (plateau.link.view.stages) { float.stages(false); return true; }
    if (plateau.hands.drop()) return true;
    if (plateau.link.view.enlarged) { plateau.link.setView({ enlarged: null }); return true; }
    if (plateau.link.view.present) { plateau.link.setView({ present: null }); return true; }
    return false;
  };

  float.start = () => {
    document.addEventListener("click", (event) => {
      const hint = event.target.closest(".hint");
      if (hint) { event.preventDefault(); return plateau.bubble(hint, hint.dataset.hint); }
      const close = event.target.closest("[data-close]");
      if (close) document.getElementById(close.dataset.close).close();
      if (event.target.matches("dialog")) event.target.close();
      if (owner && !event.target.closest("#menu, #bubble") && event.target.isConnected && !owner.contains(event.target)) float.closeSmall();
    });
    one("#settings-button").addEventListener("click", () => float.sheet(!document.documentElement.hasAttribute("data-sheet")));
    one("#settings-close").addEventListener("click", () => float.sheet(false));
    one("#stages-button").addEventListener("click", () => float.stages(one("#stages").hidden));
    one("#stages-close").addEventListener("click", () => float.stages(false));
    one("#keys-button").addEventListener("click", () => one("#keys-dialog").showModal());
    one("#menu").addEventListener("keydown", (event) => {
      const rows = [...one("#menu").querySelectorAll("[role=menuitem]")];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step || !rows.length) return;
      event.preventDefault();
      rows[(rows.indexOf(document.activeElement) + step + rows.length) % rows.length].focus();
    });
    const mine = ["stages", "present", "embed"];
    document.addEventListener("plateau:view", (event) => { if (event.detail.changed.some((key) => mine.includes(key))) float.applyView(); });
  };
})();
