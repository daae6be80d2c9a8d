// The page of a report: its data, in its viewer.
{
  const data = JSON.parse(document.getElementById("data").textContent);
  globalThis.tangencyView = Tangency.view(document.getElementById("view"), Tangency.decode(data));
}
