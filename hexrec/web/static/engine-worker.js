// The engines in a worker: hexrec in Pyodide. Everything comes from the folder that this file is in.

const engine = begin();

async function begin() {
  const { loadPyodide } = await import(String(new URL("pyodide.mjs", import.meta.url)));
  const [python, packages] = await Promise.all([
    loadPyodide({ indexURL: String(new URL(".", import.meta.url)) }),
    fetch(new URL("hexrec.zip", import.meta.url)).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(packages, "zip", { extractDir: "/lib/hexrec" });
  python.runPython("import sys\nsys.path.insert(0, '/lib/hexrec')\nfrom hexrec.server.local import answer");
  return python.runPython("lambda address, body, accept: answer(address, body.to_bytes(), accept)");
}

engine.then(
  () => postMessage({ failed: false }),
  () => postMessage({ failed: true }),
);

onmessage = async ({ data: { number, address, accept, body } }) => {
  try {
    const answer = (await engine)(address, new Uint8Array(body), accept ?? "*/*");
    const [status, text] = answer.toJs();
    answer.destroy();
    postMessage({ number, status, body: text });
  } catch (error) {
    postMessage({ number, status: 500, body: JSON.stringify({ detail: `The engines have failed: ${error}` }) });
  }
};
