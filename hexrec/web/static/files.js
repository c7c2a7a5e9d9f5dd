// Files that people open or drop: folders are looked through, .gz is unpacked.

import { fileOf, holdsRecords } from "./archive.js";

/**
 * The files of records among those that were opened or dropped, with the names of those that were passed over. Of a
 * single file, whatever its name, the content decides.
 * @param {File[]} given
 */
export async function recordFiles(given) {
  const wanted = given.length > 1 ? given.filter((file) => holdsRecords(file.name)) : given;
  const passed = given.filter((file) => !wanted.includes(file)).map((file) => file.name);
  return { files: await Promise.all(wanted.map(unpackedFile)), passed };
}

/** @param {File} file */
async function unpackedFile(file) {
  const name = file.webkitRelativePath || file.name;
  if (!/\.gz$/i.test(name)) return fileOf(name, file);
  const stream = file.stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return fileOf(name.replace(/\.gz$/i, ""), await new Response(stream).blob());
  } catch {
    throw new Error(`${name} cannot be read: it is not compressed as its name says, or not all there.`);
  }
}

/**
 * All files that were dropped, those in folders too.
 * @param {DataTransfer} transfer
 * @returns {Promise<File[]>}
 */
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.());
  if (!entries.some((entry) => entry?.isDirectory)) return [...transfer.files];
  const found = await Promise.all(entries.map((entry) => (entry ? filesWithin(entry) : [])));
  return found.flat();
}

/** @param {FileSystemEntry} entry @returns {Promise<File[]>} */
async function filesWithin(entry) {
  if (entry.isFile) {
    const { promise, resolve, reject } = Promise.withResolvers();
    /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject);
    return [await promise];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {File[]} */
  const found = [];
  for (;;) {
    // A browser gives a hundred or so at a time.
    const { promise, resolve, reject } = Promise.withResolvers();
    reader.readEntries(resolve, reject);
    /** @type {FileSystemEntry[]} */
    const some = await promise;
    if (!some.length) return found;
    some.sort((one, other) => one.name.localeCompare(other.name));
    for (const each of some) found.push(...(await filesWithin(each)));
  }
}
