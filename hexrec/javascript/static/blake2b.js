// BLAKE2b (RFC 7693) without a key.

const IV = BigUint64Array.of(
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
);
const parse = (digits) => [...digits].map((digit) => parseInt(digit, 16));
/** The order of the words of a block in each round. */
const ORDERS = [
  "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
  "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
].map(parse);
/** The indices of the four columns of a round, then of its four diagonals. */
const GROUPS = ["048c", "159d", "26ae", "37bf", "05af", "16bc", "278d", "349e"].map(parse);

function compress(state, block, length, isLast) {
  // Numbers that are put into this array lose the bits that are too many.
  const values = BigUint64Array.of(...state, ...IV);
  const mix = (to, from, bits) => {
    const value = values[to] ^ values[from];
    values[to] = (value >> bits) | (value << (64n - bits));
  };
  values[12] ^= BigInt(length);
  if (isLast) values[14] = ~values[14];
  for (let round = 0; round < 12; round++) {
    GROUPS.forEach(([a, b, c, d], index) => {
      [[32n, 24n], [16n, 63n]].forEach(([first, second], half) => {
        values[a] += values[b] + block[ORDERS[round % 10][2 * index + half]];
        mix(d, a, first);
        values[c] += values[d];
        mix(b, c, second);
      });
    });
  }
  state.forEach((_, index) => (state[index] ^= values[index] ^ values[index + 8]));
}

/** Returns the hash of a string in UTF-8, in hexadecimal digits; `size` is its number of bytes. */
export function blake2b(text, size) {
  const bytes = new TextEncoder().encode(text);
  const state = IV.slice();
  state[0] ^= BigInt(0x01010000 + size);
  for (let start = 0; start === 0 || start < bytes.length; start += 128) {
    const part = bytes.subarray(start, start + 128);
    const view = new DataView(new ArrayBuffer(128));
    part.forEach((byte, index) => view.setUint8(index, byte));
    const block = Array.from({ length: 16 }, (_, index) => view.getBigUint64(8 * index, true));
    compress(state, block, start + part.length, start + 128 >= bytes.length);
  }
  const digits = (index) => ((state[index >> 3] >> BigInt(8 * (index % 8))) & 255n).toString(16).padStart(2, "0");
  return Array.from({ length: size }, (_, index) => digits(index)).join("");
}
