/* The first call: Dash runs it once the layout stands (see components/callbacks.py). */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  let booted = false;

  /* The player says what is seen; the link keeps it. While it plays or follows, the address bar rests. */
  function listen() {
    const settled = (detail) => ["user", "pause", "end"].includes(detail.cause);
    document.addEventListener("plateau:moment", (event) => {
      if (!settled(event.detail)) return;
      const following = plateau.player.state().following;
      plateau.link.setView({ at: following ? null : event.detail.epoch });
    });
    document.addEventListener("plateau:selected", (event) => {
      const first = plateau.race[0]?.method;
      plateau.link.setView({ focus: event.detail.method === first ? null : event.detail.method });
    });
    document.addEventListener("plateau:neuron", (event) => plateau.link.setView({ neuron: event.detail.neuron }));
    document.addEventListener("plateau:axis", (event) => plateau.link.setView({ xaxis: event.detail.x }));
    document.addEventListener("plateau:view", (event) => {
      if (event.detail.cause !== "history" || !plateau.player) return;
      const view = plateau.link.view;
      plateau.player.setView({ x: view.xaxis || "epoch", selected: view.focus || plateau.race[0]?.method, neuron: view.neuron ? Number(view.neuron) : null });
      if (view.at) plateau.player.seek(Number(view.at));
    });
  }

  function boot(specification) {
    if (booted) return true;
    booted = true;
    plateau.link.start(specification.view, specification.first_visit);
    plateau.progress.start(specification);
    plateau.float.start();
    plateau.share.start(specification);
    plateau.panels.start(specification);
    plateau.target.start(specification);
    plateau.form.start(specification);
    plateau.runs.listen(specification);
    plateau.hands?.start(specification);
    for (const part of ["lesson", "present", "follow", "embed"]) plateau[part]?.start(specification);
    listen();
    plateau.share.applyTheme();
    plateau.float.applyView();
    plateau.form.show(plateau.link.config);
    plateau.panels.apply();
    if (!plateau.lesson?.opens()) plateau.runs.resolve("open", plateau.link.config);
    document.documentElement.dataset.booted = "1";
    return true;
  }

  window.dash_clientside = Object.assign({}, window.dash_clientside, { shell: { boot } });
})();
