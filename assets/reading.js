/* What pages to read do in the browser.
   Parts of a page are made when somebody comes near them: the property data-near of such an element becomes the theme,
   when it is about to be seen and again when the theme changes; a callback of the page listens to it. */
(function () {
  const root = document.documentElement;
  const parts = () => document.querySelectorAll("[data-near]");
  const PATIENCE = 8000; // milliseconds, then longer, after which it is asked again for what has not come
  const tell = (part, patience = PATIENCE) => {
    window.dash_clientside.set_props(JSON.parse(part.id), { "data-near": root.dataset.theme });
    setTimeout(() => { if (part.isConnected && !part.firstChild) { tell(part, 2 * patience); } }, patience);
  };
  const sight = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) { continue; }
      sight.unobserve(target);
      tell(target);
    }
  }, { rootMargin: "500px 0px" });
  new MutationObserver(() => parts().forEach((part) => { if (part.dataset.near) { tell(part); } }))
    .observe(root, { attributeFilter: ["data-theme"] });
  addEventListener("beforeprint", () => parts().forEach((part) => { if (part.checkVisibility()) { tell(part); } }));
  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    reading: {
      /* Puts the focus on an entry of a list once it is drawn anew; in a form that has just opened, on its first field. */
      focus: (_list, run) => {
        setTimeout(() => {
          const entry = run && document.getElementById(`run-${run}`);
          if (entry) { (entry.querySelector(".runs-form input") ?? entry).focus(); }
        });
        return null;
      },
      /* Selects an entry of a list, or no longer, at once; `places` are the boxes in sight. */
      select: (_clicks, places, selected) => {
        const { triggered, triggered_id: pressed } = window.dash_clientside.callback_context;
        const chosen = new Set(selected);
        if (triggered[0]?.value && !chosen.delete(pressed.run)) { chosen.add(pressed.run); }
        return [[...chosen], places.map(({ run }) => String(chosen.has(run)))];
      },
      /* Copies a text field; where the page may not write the clipboard, as without TLS, by its selection. */
      copy: async (clicks, name) => {
        if (!clicks) { return ""; }
        const field = document.getElementById(name);
        field.select();
        try { await navigator.clipboard.writeText(field.value); } catch {
          if (!document.execCommand("copy")) { return "Copy the marked text."; }
        }
        return "Copied.";
      },
      watch: () => {
        setTimeout(() => { // once they are in the page
          parts().forEach((part) => sight.observe(part));
          if (location.hash) { document.getElementById(location.hash.slice(1))?.scrollIntoView(); }
        });
        return null;
      },
    },
  });
})();
