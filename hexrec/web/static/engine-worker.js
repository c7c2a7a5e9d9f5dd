// The engines in a worker: hexrec in Pyodide. Everything comes from the folder that this file is in.

const FILES = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "hexrec.zip"];

const engine = begin();

/**
 * Get a file, to be found in the browser's cache by Pyodide, which waits for ever for one that is not there.
 * @param {string} name
 */
async function get(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name} is not there`);
  return answer.arrayBuffer();
}

async function begin() {
  const packages = (await Promise.all(FILES.map(get))).at(-1);
  const { loadPyodide } = await import(String(new URL("pyodide.mjs", import.meta.url)));
  const python = await loadPyodide({ indexURL: String(new URL(".", import.meta.url)) });
  python.unpackArchive(packages, "zip", { extractDir: "/lib/hexrec" });
  python.runPython("import sys\nsys.path.insert(0, '/lib/hexrec')\nfrom hexrec.server.local import answer");
  return python.runPython("lambda address, body, accept: answer(address, body.to_bytes(), accept)");
}

engine.then(
  () => postMessage({ failed: "" }),
  (error) => postMessage({ failed: error instanceof Error ? error.message : String(error) }),
);

onmessage = async ({ data: { number, address, accept, body } }) => {
  try {
    const answer = (await engine)(address, new Uint8Array(body), accept ?? "*/*");
    const [status, text] = answer.toJs();
    answer.destroy();
    postMessage({ number, status, body: text });
  } catch (error) {
    postMessage({ number, status: 500, body: JSON.stringify({ detail: `hexrec has failed: ${error}` }) });
  }
};
