import { crc32, deflateSync } from "node:zlib"

const SIZE = 256
type Colour = readonly [red: number, green: number, blue: number]

const cream: Colour = [255, 243, 214]
const berry: Colour = [214, 64, 92]
const paper: Colour = [122, 72, 46]
const ground: Colour = [245, 194, 95]

/** A cupcake, for the invented confectioner: no picture of anybody's. */
export function drawLogo(): Buffer {
  const rows = Array.from({ length: SIZE }, (_row, y) =>
    Buffer.from([0, ...Array.from({ length: SIZE }, (_column, x) => colourAt(x - SIZE / 2, y - SIZE / 2)).flat()]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

/** From the middle, downwards and to the right. */
function colourAt(x: number, y: number): Colour {
  const isIn = (centreX: number, centreY: number, radius: number) => Math.hypot(x - centreX, y - centreY) < radius
  if (isIn(0, -74, 15)) return berry
  const isFrosting = isIn(0, -48, 30) || isIn(-26, -18, 34) || isIn(26, -18, 34) || isIn(0, -20, 38)
  if (isFrosting && y < 8) return cream
  const side = 58 - (y - 8) * 0.22
  if (y >= 8 && y < 82 && Math.abs(x) < side) return Math.round((x / side) * 8) % 2 === 0 ? paper : cream
  return ground
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
