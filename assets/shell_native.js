/* The browser's own <input> as a Dash component (see components/native.py). Uncontrolled: React
   renders it once, its value belongs to the form script. */
(function () {
  "use strict";
  function Input(props) {
    const attributes = {};
    for (const [key, value] of Object.entries(props)) {
      if (key !== "setProps" && key !== "children" && !key.startsWith("_") && key !== "n_clicks" && key !== "loading_state") attributes[key] = value;
    }
    return window.React.createElement("input", attributes);
  }
  window.plateau_components = { Input };
})();
