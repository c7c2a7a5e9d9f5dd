// Drafts: files with edits that are not saved, kept in the browser's storage (IndexedDB) until they are.

const DATABASE = "hexrec";
const STORE = "drafts";

/** @returns {Promise<IDBDatabase>} */
function database() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => void asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/**
 * Does something with the stored drafts; throws if the browser does not let the page store anything.
 * @template T
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} action
 * @returns {Promise<T>}
 */
async function withStore(mode, action) {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(STORE, mode);
      const asked = action(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    opened.close();
  }
}

/** Return a text that no other state of a draft has. `crypto.randomUUID` is not there on pages without TLS. */
const stampOfNow = () => `${Date.now()}-${Math.random()}`;

/** All drafts, the latest first. @returns {Promise<Draft[]>} */
export async function drafts() {
  /** @type {Draft[]} */
  const found = await withStore("readonly", (store) => store.getAll());
  return found.sort((one, other) => other.time - one.time);
}

/** @param {string} id */
export const discardDraft = (id) => withStore("readwrite", (store) => store.delete(id));

/**
 * Keep the edits of an archive as its draft; discard that if there are none. If another tab has changed the draft since,
 * the edits are kept as a draft of their own: return whether that was so.
 * @param {import("./archive.js").Archive} archive
 */
export async function keepDraft(archive) {
  const { name, files, edited } = archive;
  if (!edited.length && !archive.stamp) return false;
  const edits = edited.map(({ file, read, edit }) => {
    return { file: files.indexOf(file), index: read.index, record: edit?.record, text: edit?.text, listed: edit?.listed };
  });
  const stamp = stampOfNow();
  let parted = false;
  await withStore("readwrite", (store) => {
    const asked = store.get(archive.id);
    asked.onsuccess = () => {
      parted = (asked.result?.stamp ?? null) !== archive.stamp;
      if (parted) archive.id = stampOfNow();
      if (!edited.length) return void (parted || store.delete(archive.id));
      store.put({ id: archive.id, stamp, name, time: Date.now(), files: files.map((file) => ({ ...file })), edits });
    };
    return asked;
  });
  archive.stamp = edited.length ? stamp : null;
  return parted;
}

/**
 * Puts the edits of a draft into its archive, whose records are listed.
 * @param {import("./archive.js").Archive} archive @param {Draft} draft
 */
export function restoreEdits(archive, { edits }) {
  const places = new Map(archive.entries.map((entry) => [`${archive.files.indexOf(entry.file)}.${entry.read.index}`, entry]));
  for (const { file, index, record, text, listed } of edits) {
    const entry = places.get(`${file}.${index}`);
    if (entry && listed) entry.edit = { listed, ...(record && { record }), ...(text !== undefined && { text }) };
  }
}
