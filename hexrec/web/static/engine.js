// What the page asks the service for, answered by the engines in a worker: for the site that has no server. This script
// comes before that of the page, which does not know of it. The engines are large and slow to start, and the page plays without
// them: they are started by the first question.

const service = globalThis.fetch;
/** Those who wait for an answer, by the number of the request. @type {Map<number, (answer: Response) => void>} */
const waiting = new Map();
let number = 0;
/** @type {Worker | null} */
let worker = null;

// Without it, the site is fetched anew each time.
navigator.serviceWorker?.register("service-worker.js").catch(() => {});

document.documentElement.dataset.engine = "asleep";

/** Start the engines, unless they are started. */
function wake() {
  if (worker) return worker;
  document.documentElement.dataset.engine = "starting";
  worker = new Worker("engine-worker.js", { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.number === undefined) {
      if (data.failed) {
        fail(data.failed);
        return;
      }
      document.documentElement.dataset.engine = "ready";
      // Whoever has used the engines once has them offline, too.
      navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage("engines"));
      return;
    }
    waiting.get(data.number)?.(new Response(data.body, { status: data.status }));
    waiting.delete(data.number);
  };
  worker.onerror = () => fail("engine-worker.js is not there");
  return worker;
}

/** Answer all questions with the reason, and let the next one start the engines again. @param {string} reason */
function fail(reason) {
  worker = null;
  document.documentElement.dataset.engine = navigator.onLine ? "failed" : "offline";
  const detail = navigator.onLine
    ? `Python cannot be started in this browser: ${reason}`
    : "This needs Python, which the page loads when you are online";
  for (const answer of waiting.values()) answer(new Response(JSON.stringify({ detail }), { status: 500 }));
  waiting.clear();
}

addEventListener("online", () => {
  if (document.documentElement.dataset.engine === "offline") document.documentElement.dataset.engine = "asleep";
});

globalThis.fetch = async (address, options = {}) => {
  if (typeof address !== "string" || !address.startsWith("v1/")) return service(address, options);
  const body = await new Response(options.body).arrayBuffer();
  const accept = new Headers(options.headers).get("Accept");
  return new Promise((resolve) => {
    waiting.set(++number, resolve);
    wake().postMessage({ number, address, accept, body }, [body]);
  });
};
