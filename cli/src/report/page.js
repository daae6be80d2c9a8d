// The switch between light and dark. Without a choice, the system's is followed.
(function () {
  "use strict";

  const choose = document.getElementById("theme");
  // A page that was opened from a file may not be allowed to remember.
  const remembered = (action) => {
    try {
      return action(localStorage);
    } catch {
      return null;
    }
  };
  const apply = () => {
    document.documentElement.dataset.theme = choose.value;
    document.dispatchEvent(new Event("themechange"));
  };
  choose.value = remembered((storage) => storage.getItem("tangency-theme")) ?? "";
  choose.addEventListener("change", () => {
    remembered((storage) => storage.setItem("tangency-theme", choose.value));
    apply();
  });
  apply();
})();
