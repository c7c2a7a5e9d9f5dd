// What the page asks the service for, answered by the engines in a worker: for the site that has no server. This script
// comes before that of the page, which does not know of it. The engines are large and slow to start, and the page plays without
// them: they are started by the first question.

const service = globalThis.fetch;
/**
 * Those who wait for an answer, by the number of the request.
 * @type {Map<number, { resolve: (answer: Response) => void, reject: (error: Error) => void }>}
 */
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
      document.documentElement.dataset.engine = data.failed ? "failed" : "ready";
      // Whoever has used the engines once has them offline, too.
      if (!data.failed) navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage("engines"));
      return;
    }
    waiting.get(data.number)?.resolve(new Response(data.body, { status: data.status }));
    waiting.delete(data.number);
  };
  worker.onerror = () => {
    document.documentElement.dataset.engine = "failed";
    for (const { reject } of waiting.values()) reject(new Error("the engines have failed"));
    waiting.clear();
  };
  return worker;
}

globalThis.fetch = async (address, options = {}) => {
  if (typeof address !== "string" || !address.startsWith("v1/")) return service(address, options);
  const engine = wake();
  const body = await new Response(options.body).arrayBuffer();
  const accept = new Headers(options.headers).get("Accept");
  return new Promise((resolve, reject) => {
    waiting.set(++number, { resolve, reject });
    engine.postMessage({ number, address, accept, body }, [body]);
  });
};
