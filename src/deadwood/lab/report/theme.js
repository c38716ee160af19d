"use strict";
// Draws the plots in the theme's colours, and redraws them when the theme changes.
(() => {
  const { figures, dark } = JSON.parse(document.getElementById("data").textContent);
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const config = { displayModeBar: false, responsive: true, showTips: false };

  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : system.matches;
  };

  // Figures use the light colours, some with an opacity appended; each has a dark counterpart.
  const coloured = (figure) =>
    JSON.parse(JSON.stringify(figure), (_key, value) =>
      isDark() && typeof value === "string" && dark[value.slice(0, 7)]
        ? dark[value.slice(0, 7)] + value.slice(7)
        : value);

  const draw = () => {
    button.setAttribute("aria-pressed", String(isDark()));
    for (const place of document.querySelectorAll("[data-figure]")) {
      const { data, layout } = coloured(figures[place.dataset.figure]);
      Plotly.react(place, data, { ...layout, showlegend: false }, config); // the page has its own legends
    }
  };

  button.hidden = false;
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    draw();
  });
  system.addEventListener("change", draw);
  draw();
})();
