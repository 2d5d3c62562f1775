import { gunzipSync, gzipSync } from "node:zlib"

/** The bodies of a bundle say nearly the same, so the fastest level leaves a tenth of them. */
const fastest = { level: 1 }

/** The bodies, one behind the other, as one gzip file. Their lengths are kept in another column. */
export function packBodies(bodies: readonly Buffer[]): Buffer {
  return gzipSync(Buffer.concat(bodies), fastest)
}

/** The bodies as they came. */
export function unpackBodies(packed: Buffer, lengths: readonly number[]): Buffer[] {
  const all = gunzipSync(packed)
  let end = 0
  return lengths.map((length) => all.subarray(end, (end += length)))
}
