/* Which panels stand where: up to three tiles of their own, the rest behind tabs in the fourth; one enlarged; order. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const panels = (plateau.panels = {});
  let spec = null;
  const one = (selector, root = document) => root.querySelector(selector);
  const names = () => spec.panels.map((panel) => panel.name);
  const titleOf = (name) => spec.panels.find((panel) => panel.name === name)?.title ?? name;
  const section = (name) => document.getElementById(`panel-${name}`);

  panels.order = () => {
    const known = (plateau.link.view.panels || "").split(",").filter((name) => names().includes(name));
    return known.length ? [...new Set(known)] : names();
  };

  panels.apply = () => {
    const view = plateau.link.view;
    const present = Boolean(view.present);
    let order = panels.order();
    const enlarged = names().includes(view.enlarged) ? view.enlarged : "";
    if (enlarged) order = [enlarged];
    else if (present) order = order.slice(0, 2);
    const own = order.length <= 4 ? order : order.slice(0, 3);
    const tabbed = order.length <= 4 ? [] : order.slice(3);
    const front = tabbed.includes(view.tab) ? view.tab : tabbed[0];
    const grid = one("#panels");
    grid.dataset.count = Math.min(4, order.length);
    grid.toggleAttribute("data-enlarged", Boolean(enlarged));
    for (const name of names()) {
      const place = section(name);
      const slot = own.indexOf(name) + 1 || (tabbed.includes(name) ? 4 : 0);
      place.hidden = !slot || (tabbed.includes(name) && name !== front);
      place.classList.toggle("tabbed", tabbed.includes(name));
      if (slot) place.dataset.slot = slot;
      const button = one("[data-action=enlarge]", place);
      button.setAttribute("aria-pressed", String(enlarged === name));
      button.setAttribute("aria-label", enlarged === name ? `Back to all panels from ${titleOf(name)}` : `Enlarge ${titleOf(name)}`);
      button.title = enlarged === name ? "Back to all panels" : "Enlarge";
      one(".icon", button).className = `icon icon-${enlarged === name ? "shrink" : "enlarge"}`;
      if (tabbed.includes(name)) {
        place.setAttribute("role", "tabpanel");
        place.setAttribute("aria-labelledby", `tab-${name}`);
      } else {
        place.removeAttribute("role");
        place.setAttribute("aria-labelledby", `title-${name}`);
      }
    }
    drawTabs(tabbed, front);
    document.dispatchEvent(new CustomEvent("plateau:layout", { detail: { visible: [...own, ...(front ? [front] : [])], enlarged: enlarged || null } }));
  };

  function drawTabs(tabbed, front) {
    const bar = one("#panel-tabs");
    bar.hidden = !tabbed.length;
    const focused = bar.contains(document.activeElement);
    bar.replaceChildren(...tabbed.map((name) => {
      const tab = document.createElement("button");
      Object.assign(tab, { type: "button", id: `tab-${name}`, textContent: titleOf(name).split(" ")[0], title: titleOf(name) });
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-label", titleOf(name));
      tab.setAttribute("aria-selected", String(name === front));
      tab.setAttribute("aria-controls", `panel-${name}`);
      tab.tabIndex = name === front ? 0 : -1;
      tab.addEventListener("click", () => panels.front(name));
      return tab;
    }));
    const active = one("[aria-selected=true]", bar);
    if (active && focused) active.focus();
    if (active && bar.scrollWidth > bar.clientWidth) bar.scrollLeft = active.offsetLeft - bar.offsetLeft - 24;
  }

  panels.front = (name) => { plateau.link.setView({ tab: name }); };
  panels.enlarge = (name) => { plateau.link.setView({ enlarged: plateau.link.view.enlarged === name ? null : name }); };
  const setOrder = (order) => {
    const usual = order.join() === names().join();
    plateau.link.setView({ panels: usual ? null : order.join(",") });
  };
  panels.hide = (name) => {
    const rest = panels.order().filter((other) => other !== name);
    if (!rest.length) return plateau.toast("One panel has to stay.");
    plateau.link.setView({ enlarged: null });
    setOrder(rest);
    plateau.toast(`${titleOf(name)} is hidden. It is under Panels.`);
  };

  /* The panel somebody means by a key: the one in focus, or under the pointer. */
  panels.meant = () => (document.activeElement?.closest?.(".panel") ?? one(".panel:hover"))?.dataset.panel ?? (plateau.link.view.enlarged || null);
  panels.reveal = (index) => {
    const name = panels.order()[index];
    if (!name) return;
    if (index >= 3 && panels.order().length > 4) panels.front(name);
    if (plateau.link.view.enlarged) plateau.link.setView({ enlarged: name });
    section(name).scrollIntoView({ block: "nearest" });
  };

  function menuRows() {
    const shown = panels.order();
    const rest = names().filter((name) => !shown.includes(name));
    return [...shown, ...rest].map((name, index) => {
      const row = Object.assign(document.createElement("div"), { className: "menu-row" });
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: shown.includes(name) });
      label.append(box, titleOf(name));
      box.addEventListener("change", () => {
        if (box.checked) setOrder([...panels.order(), name]);
        else panels.hide(name);
        redrawMenu();
      });
      row.append(label);
      for (const [step, sign, word] of [[-1, "↑", "earlier"], [1, "↓", "later"]]) {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign, disabled: !shown.includes(name) || !shown[index + step] });
        button.setAttribute("aria-label", `${titleOf(name)} ${word}`);
        button.addEventListener("click", () => {
          move(name, step);
          redrawMenu(`${titleOf(name)} ${word}`);
        });
        row.append(button);
      }
      return row;
    });
  }
  function redrawMenu(focus) {
    one("#menu").replaceChildren(...menuRows());
    if (focus) (one(`#menu [aria-label="${focus}"]:not(:disabled)`) ?? one("#menu input")).focus();
  }

  async function save(name, kind) {
    try {
      const url = await plateau.player.image(name, kind);
      Object.assign(document.createElement("a"), { href: url, download: `plateau-${name}.${kind}` }).click();
    } catch (error) {
      plateau.toast(`The picture could not be made: ${error.message || error}.`);
    }
  }
  function move(name, step) {
    const order = panels.order();
    const index = order.indexOf(name);
    order.splice(index, 1);
    order.splice(index + step, 0, name);
    setOrder(order);
  }
  function moreMenu(button, name) {
    const picture = (kind) => ({ text: `Save the picture as ${kind.toUpperCase()}`, act: () => save(name, kind) });
    const run = plateau.race.find((entry) => entry.method === plateau.player?.state?.().selected) ?? plateau.race[0];
    const replay = () => `/replay.html?runs=${plateau.race.map((entry) => entry.id).join()}&at=${plateau.link.view.at ?? ""}&link=${encodeURIComponent(plateau.link.configQuery())}`;
    const files = run ? [null, ...spec.exports.map(([end, text]) => ({ text, href: `/api/runs/${run.id}/export.${end}` })), { text: "A replay that needs no server (HTML)", href: replay() }] : [];
    const order = panels.order();
    const place = order.indexOf(name);
    const moves = plateau.link.view.enlarged ? [] : [
      null,
      ...(place > 0 ? [{ text: "Move earlier", act: () => move(name, -1) }] : []),
      ...(place < order.length - 1 ? [{ text: "Move later", act: () => move(name, 1) }] : []),
      { text: "Hide this panel", act: () => panels.hide(name) },
    ];
    const code = { text: "Copy the code to embed it", act: () => plateau.share.copy(plateau.embed.code(name), "Embed code copied") };
    plateau.menu(button, [picture("svg"), picture("png"), code, ...files, ...moves]);
  }

  panels.start = (specification) => {
    spec = specification;
    const grid = one("#panels");
    grid.addEventListener("click", (event) => {
      const button = event.target.closest("[data-action]");
      if (!button) return;
      const name = button.dataset.panel;
      if (button.dataset.action === "enlarge") panels.enlarge(name);
      if (button.dataset.action === "more") moreMenu(button, name);
      if (button.dataset.action === "help") plateau.bubble(button, spec.panels.find((panel) => panel.name === name).help);
    });
    grid.addEventListener("dblclick", (event) => {
      const title = event.target.closest(".panel-head");
      if (title && !event.target.closest("button")) panels.enlarge(title.closest(".panel").dataset.panel);
    });
    one("#panel-tabs").addEventListener("keydown", (event) => {
      const tabs = [...one("#panel-tabs").children];
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
      panels.front(next.id.replace("tab-", ""));
      document.getElementById(next.id).focus();
    });
    one("#panels-button").addEventListener("click", (event) => plateau.menu(event.currentTarget, menuRows));
    const mine = ["panels", "tab", "enlarged", "present"];
    document.addEventListener("plateau:view", (event) => { if (event.detail.changed.some((key) => mine.includes(key))) panels.apply(); });
  };
})();
