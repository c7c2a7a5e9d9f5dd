// Files that people open or drop: folders and zip archives are read as the command reads them. No DOM.

import { fileOf, holdsRecords, holdsText } from "./archive.js";
import { messageOf } from "./words.js";

/** The first bytes of compressed files, by the name of the method. */
const MAGIC = { gzip: [0x1f, 0x8b, 0x08], zstd: [0x28, 0xb5, 0x2f, 0xfd], bzip2: [0x42, 0x5a, 0x68], xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a] };
const OTHER_ARCHIVES = /\.(tar|tgz|tar\.(gz|zst|bz2|xz))$/i;
const UNPACK = "unpack it and open its contents";
/** Records that each compressed byte adds to the number that every compressed file may have. */
const RECORDS_A_BYTE = 20;

/** The signatures of a zip archive: a member, an entry of the directory, its end, and those of large archives. */
const MEMBER = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const LARGE_END = 0x06064b50;
const LARGE_LOCATOR = 0x07064b50;
/** The sizes of these without names and comments. */
const MEMBER_SIZE = 30;
const ENTRY_SIZE = 46;
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;
/** A number that does not fit, and stands in the extra field instead. */
const TOO_LARGE = 0xffffffff;
const [STORED, DEFLATED] = [0, 8];

/**
 * The files of records among those that are given, with the names of those that were skipped, and why others cannot be
 * read. Of a single file that somebody has chosen, whatever its name, the content decides.
 * @param {GivenFile[]} given @param {ReadLimits} limits
 */
export async function readFiles(given, limits) {
  /** @type {{ files: ArchiveFile[], skipped: string[], problems: string[] }} */
  const found = { files: [], skipped: [], problems: [] };
  const alone = given.length === 1 && !given[0].path.includes("/");
  for (const { path, blob } of given.toSorted(byPath)) {
    const [, ...within] = path.split("/");
    if (within.some(isHidden)) continue;
    try {
      if (/\.zip$/i.test(path)) await readArchive(path, blob, limits, found);
      else if (OTHER_ARCHIVES.test(path)) throw new Error(`this page reads archives in zip only: ${UNPACK}`);
      else if (alone || holdsRecords(path) || (!path.includes("/") && holdsText(path))) found.files.push(await plainFile(path, blob, new Allowance(limits, blob.size)));
      else found.skipped.push(path);
    } catch (error) {
      found.problems.push(`${path} cannot be read: ${messageOf(error)}.`);
    }
  }
  return found;
}

/** The order of the command: by the names of folders, and of files within them. @param {GivenFile} one @param {GivenFile} other */
function byPath({ path: one }, { path: other }) {
  const [parts, others] = [one.split("/"), other.split("/")];
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at < 0 ? -1 : parts[at] < (others[at] ?? "") ? -1 : 1;
}

/** @param {string} name */
const isHidden = (name) => name.startsWith(".");

/**
 * Add the files of records in a zip archive, in its order.
 * @param {string} path @param {Blob} blob @param {ReadLimits} limits @param {Awaited<ReturnType<typeof readFiles>>} found
 */
async function readArchive(path, blob, limits, found) {
  const allowance = new Allowance(limits, 0);
  const before = found.files.length + found.problems.length;
  for (const member of await membersOf(blob, limits)) {
    const name = `${path}/${member.name}`;
    if (!holdsRecords(member.name)) found.skipped.push(name);
    else if (!isHidden(/** @type {string} */ (member.name.split("/").at(-1)))) {
      try {
        const file = await plainFile(name, await unpackedMember(blob, member, allowance), allowance);
        found.files.push({ ...file, packed: allowance.packed });
      } catch (error) {
        found.problems.push(`${name} cannot be read: ${messageOf(error)}.`);
      }
    }
  }
  if (found.files.length + found.problems.length === before) throw new Error("it contains no record files");
}

/** The budget of decompressed bytes of a file. It grows with the bytes read from the file. */
class Allowance {
  /** @param {ReadLimits} limits @param {number} read */
  constructor(limits, read) {
    this.limits = limits;
    this.read = read;
    this.made = 0;
    /** How many records may come from it, shared by its files. */
    this.packed = { most: limits.records + RECORDS_A_BYTE * read };
  }

  /** @param {number} size */
  take(size) {
    this.read += size;
    this.packed.most += RECORDS_A_BYTE * size;
  }

  /** Count decompressed bytes. Throws an Error if there are too many. @param {number} size */
  use(size) {
    this.made += size;
    const { decompressed: most, ratio } = this.limits;
    if (this.made <= most + ratio * this.read) return;
    throw new Error(`it unpacks to over ${most.toLocaleString("en")} bytes more than ${ratio} times its size: if that is intended, ${UNPACK}`);
  }
}

/**
 * A file as it is, or decompressed.
 * @param {string} path @param {Blob} blob @param {Allowance} allowance
 */
async function plainFile(path, blob, allowance) {
  const head = new Uint8Array(await blob.slice(0, 5).arrayBuffer());
  const [method] = Object.entries(MAGIC).find(([, magic]) => magic.every((byte, index) => head[index] === byte)) ?? [];
  if (!method) return fileOf(path, blob);
  if (method !== "gzip") throw new Error(`browsers do not decompress ${method}: ${UNPACK}`);
  const plain = await decompressed(blob, "gzip", allowance);
  return { ...fileOf(path.replace(/\.gz$/i, ""), plain), packed: allowance.packed };
}

/** @param {Blob} blob @param {CompressionFormat} method @param {Allowance} allowance */
async function decompressed(blob, method, allowance) {
  const reader = blob.stream().pipeThrough(new DecompressionStream(method)).getReader();
  const parts = [];
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error("it is damaged, or not all there");
    });
    if (done) return new Blob(parts);
    allowance.use(value.length);
    parts.push(value);
  }
}

// Zip archives.

/** @param {Blob} blob @param {number} offset @param {number} size */
async function viewOf(blob, offset, size) {
  const view = new DataView(await blob.slice(Math.max(offset, 0), offset + size).arrayBuffer());
  if (offset < 0 || view.byteLength < size) throw new Error("it is damaged, or not all there");
  return view;
}

/**
 * The files that an archive lists, in its order. Throws an Error for one that is damaged or above a limit.
 * @param {Blob} blob @param {ReadLimits} limits
 */
async function membersOf(blob, limits) {
  const { size, at, before } = await directoryOf(blob);
  if (size > limits.directory) {
    throw new Error(`the list of its members has more than ${limits.directory.toLocaleString("en")} bytes: ${UNPACK}`);
  }
  const view = await viewOf(blob, at, size);
  const decoder = new TextDecoder();
  const members = [];
  for (let offset = 0; offset < size; ) {
    if (offset + ENTRY_SIZE > size || view.getUint32(offset, true) !== ENTRY) throw new Error("its list of members is damaged");
    if (members.length === limits.members) throw new Error(`it has more than ${limits.members.toLocaleString("en")} members: ${UNPACK}`);
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((field) => view.getUint16(offset + field, true));
    const nameAt = offset + ENTRY_SIZE;
    const end = nameAt + nameSize + extraSize + commentSize;
    if (end > size) throw new Error("its list of members is damaged");
    const name = decoder.decode(new Uint8Array(view.buffer, nameAt, nameSize));
    if (name.length > limits.name) throw new Error(`the name of a member has more than ${limits.name.toLocaleString("en")} characters: ${UNPACK}`);
    const large = largeNumbers(view, nameAt + nameSize, extraSize);
    // In the extra field are those numbers that are too large, in this order.
    const [, packedSize, header] = [24, 20, 42].map((field) => {
      const number = view.getUint32(offset + field, true);
      return number === TOO_LARGE ? (large.shift() ?? number) : number;
    });
    const [flags, method] = [8, 10].map((field) => view.getUint16(offset + field, true));
    members.push({ name, flags, method, crc: view.getUint32(offset + 16, true), packedSize, header: header + before });
    offset = end;
  }
  let end = 0;
  for (const member of members.toSorted((one, other) => one.header - other.header)) {
    if (member.header < end) throw new Error(`its members overlap: ${UNPACK}`);
    end = member.header + MEMBER_SIZE + member.packedSize;
  }
  return members.filter(({ name }) => !name.endsWith("/"));
}

/**
 * The size of the directory of an archive, where it is, and how many bytes there are before the archive.
 * @param {Blob} blob
 */
async function directoryOf(blob) {
  const start = Math.max(0, blob.size - END_SIZE - LONGEST_COMMENT);
  const tail = await viewOf(blob, start, blob.size - start);
  let found = tail.byteLength - END_SIZE;
  while (found >= 0 && tail.getUint32(found, true) !== END) found--;
  if (found < 0) throw new Error("it is no zip archive, or not all there");
  let [size, offset] = [tail.getUint32(found + 12, true), tail.getUint32(found + 16, true)];
  let end = start + found;
  const locator = end - 20 >= 0 ? await viewOf(blob, end - 20, 20) : null;
  if (locator?.getUint32(0, true) === LARGE_LOCATOR) {
    end -= 20 + 56;
    const large = await viewOf(blob, end, 56);
    if (large.getUint32(0, true) !== LARGE_END) throw new Error("its list of members is damaged");
    [size, offset] = [40, 48].map((field) => Number(large.getBigUint64(field, true)));
  }
  return { size, at: end - size, before: end - size - offset };
}

/** The large numbers in an extra field. @param {DataView} view @param {number} at @param {number} size */
function largeNumbers(view, at, size) {
  const end = at + size;
  while (at + 4 <= end) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    at += 4;
    if (kind === 1) {
      const count = Math.floor(Math.min(length, end - at) / 8);
      return Array.from({ length: count }, (_, index) => Number(view.getBigUint64(at + 8 * index, true)));
    }
    at += length;
  }
  return [];
}

/** @param {Blob} blob @param {Awaited<ReturnType<typeof membersOf>>[number]} member @param {Allowance} allowance */
async function unpackedMember(blob, { flags, method, crc, packedSize, header }, allowance) {
  if (flags & 1) throw new Error("it is encrypted");
  if (method !== STORED && method !== DEFLATED) {
    throw new Error(`its compression method is not supported in zip archives, only deflate is: ${UNPACK}`);
  }
  const local = await viewOf(blob, header, MEMBER_SIZE);
  if (local.getUint32(0, true) !== MEMBER) throw new Error("it is damaged");
  const start = header + MEMBER_SIZE + local.getUint16(26, true) + local.getUint16(28, true);
  const packed = blob.slice(start, start + packedSize);
  allowance.take(packedSize);
  if (method === STORED) allowance.use(packedSize);
  const plain = method === STORED ? packed : await decompressed(packed, "deflate-raw", allowance);
  if ((await checksum(plain)) !== crc) throw new Error("it is damaged: its checksum is wrong");
  return plain;
}

/** @type {Uint32Array | undefined} */
let table;

/** The CRC-32 of some bytes. @param {Blob} blob */
async function checksum(blob) {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
    return byte;
  });
  let crc = ~0;
  for (const byte of new Uint8Array(await blob.arrayBuffer())) crc = (crc >>> 8) ^ table[(crc ^ byte) & 0xff];
  return ~crc >>> 0;
}

// Folders.

/**
 * All files that were dropped, those in folders too, with their paths from what was dropped.
 * @param {DataTransfer} transfer
 * @returns {Promise<GivenFile[]>}
 */
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.());
  if (!entries.some((entry) => entry?.isDirectory)) return chosenFiles([...transfer.files]);
  const found = await Promise.all(entries.map((entry) => (entry ? filesWithin(entry) : [])));
  return found.flat();
}

/** Files that were chosen, with their paths from the folder that was chosen. @param {File[]} files @returns {GivenFile[]} */
export const chosenFiles = (files) => files.map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));

/** @param {FileSystemEntry} entry @returns {Promise<GivenFile[]>} */
async function filesWithin(entry) {
  if (entry.isFile) {
    const { promise, resolve, reject } = Promise.withResolvers();
    /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject);
    return [{ path: entry.fullPath.slice(1), blob: await promise }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {GivenFile[]} */
  const found = [];
  for (;;) {
    // A browser gives a hundred or so at a time.
    const { promise, resolve, reject } = Promise.withResolvers();
    reader.readEntries(resolve, reject);
    /** @type {FileSystemEntry[]} */
    const some = await promise;
    if (!some.length) return found;
    for (const each of some) found.push(...(await filesWithin(each)));
  }
}
