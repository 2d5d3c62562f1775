import { crc32, deflateSync } from "node:zlib"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import sharp, { type Sharp } from "sharp"
import { expect, test } from "vitest"
import { DomainError } from "./errors.ts"
import { pictureSquarer } from "./pictures.ts"

const squarePicture = pictureSquarer()

const red = { r: 220, g: 30, b: 40 }
const green = { r: 30, g: 180, b: 60 }
const blue = { r: 40, g: 60, b: 220 }

function plain(width: number, height: number, background: object = green) {
  return sharp({ create: { width, height, channels: 3, background } })
}

/** Three squares side by side: only the one in the middle may be seen. */
async function threeSquares(): Promise<Sharp> {
  const square = (colour: object) => plain(100, 100, colour).png().toBuffer()
  return plain(300, 100).composite([
    { input: await square(red), left: 0, top: 0 },
    { input: await square(green), left: 100, top: 0 },
    { input: await square(blue), left: 200, top: 0 },
  ])
}

async function colourAt(picture: Buffer, left: number, top: number): Promise<number[]> {
  const one = sharp(picture).removeAlpha().extract({ left, top, width: 1, height: 1 })
  return [...(await one.raw().toBuffer())]
}

function isNear(colour: number[], { r, g, b }: typeof red): boolean {
  return [r, g, b].every((part, at) => Math.abs(part - (colour[at] ?? 0)) < 24)
}

const refusalOf = (file: Buffer) =>
  squarePicture(file).then(
    () => "accepted",
    (error: unknown) => (error instanceof DomainError ? error.shownMessage : Promise.reject(error)),
  )

const notPicture = "Envie uma imagem PNG, JPEG ou WebP."
const still = "Envie uma imagem parada: animações não são aceitas."
const extra = "Este arquivo traz mais do que a imagem. Salve a imagem de novo, como PNG ou JPEG, e envie."
const tooLarge = "A imagem deve ter no máximo 4.096 pixels de lado e 16 megapixels."
const broken = "Não foi possível ler esta imagem. Ela pode estar incompleta: salve-a de novo e envie."

test.each(["png", "jpeg", "webp"] as const)("the middle square of a %s becomes a PNG of 256 px", async (format) => {
  const picture = await squarePicture(await (await threeSquares()).toFormat(format).toBuffer())
  expect(await sharp(picture).metadata()).toMatchObject({ format: "png", width: 256, height: 256 })
  for (const [left, top] of [
    [24, 24],
    [128, 128],
    [232, 232],
  ] as const) {
    expect(isNear(await colourAt(picture, left, top), green)).toBe(true)
  }
  expect(picture.length).toBeLessThan(20_000)
})

test("what is see-through stays so, and a small picture is enlarged", async () => {
  const clear = sharp({ create: { width: 9, height: 20, channels: 4, background: { ...red, alpha: 0 } } })
  const picture = await squarePicture(await clear.png().toBuffer())
  const { channels } = await sharp(picture).stats()
  expect(channels[3]?.max).toBe(0)
})

test("a photo is turned as its camera held it, and loses its place, time and camera", async () => {
  const halves = plain(80, 40, red).composite([{ input: await plain(40, 40, blue).png().toBuffer(), left: 40, top: 0 }])
  const file = await halves
    .jpeg()
    .withExif({
      IFD0: { Make: "Camera", Orientation: "6", DateTime: "2026:11:21 12:00:00" },
      IFD3: { GPSLatitudeRef: "S", GPSLatitude: "23/1 33/1 0/1", GPSLongitudeRef: "W", GPSLongitude: "46/1 38/1 0/1" },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect(await sharp(file).metadata()).toMatchObject({ orientation: 6 })
  const picture = await squarePicture(file)
  const { exif, icc, xmp, iptc, orientation, comments } = await sharp(picture).metadata()
  expect({ exif, icc, xmp, iptc, orientation, comments }).toEqual({})
  // Turned to the right: what was at the left is on top.
  expect(isNear(await colourAt(picture, 128, 20), red)).toBe(true)
  expect(isNear(await colourAt(picture, 128, 236), blue)).toBe(true)
  for (const word of ["Camera", "GPS", "2026:11"]) expect(picture.includes(word)).toBe(false)
})

test.each([
  ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
  ["an SVG with its declaration", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a page", "<!doctype html><script>alert(1)</script>"],
  ["a PDF", "%PDF-1.7\n"],
  ["a GIF", "GIF89a\x01\x00\x01\x00\x00\x00\x00;"],
  ["a TIFF", "II*\x00\x08\x00\x00\x00"],
  ["a HEIC", "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"],
  ["nothing", ""],
])("%s is no picture that is taken", async (_name, text) => {
  expect(await refusalOf(Buffer.from(text, "latin1"))).toBe(notPicture)
})

test("more than 512 kB is refused, before anything is read", async () => {
  expect(await refusalOf(Buffer.alloc(512 * 1024 + 1))).toBe("A imagem deve ter no máximo 512 kB.")
})

test("too many pixels are refused before any is decoded: a side of 10,000, 16 megapixels, a bomb", async () => {
  for (const file of [
    await plain(10_000, 1).png().toBuffer(),
    await plain(1, 10_000).jpeg().toBuffer(),
    await plain(4_097, 8).webp().toBuffer(),
    await plain(4_096, 4_000).png({ compressionLevel: 9 }).toBuffer(),
    bomb(60_000, 60_000),
    bomb(20_000, 20_000),
  ]) {
    expect(await refusalOf(file)).toBe(tooLarge)
  }
})

test("the largest that is taken is drawn in time", async () => {
  expect(await refusalOf(await plain(4_096, 3_906).png({ compressionLevel: 9 }).toBuffer())).toBe("accepted")
  expect(await refusalOf(await plain(4_000, 4_000).jpeg({ progressive: true, quality: 20 }).toBuffer())).toBe(
    "accepted",
  )
})

test("animations are refused", async () => {
  const frames = await Promise.all([red, green].map((colour) => plain(8, 8, colour).png().toBuffer()))
  const film = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer()
  expect(await refusalOf(film)).toBe(still)
  const png = await plain(8, 8).png().toBuffer()
  const announced = Buffer.concat([
    png.subarray(0, 33),
    chunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    png.subarray(33),
  ])
  expect(await refusalOf(announced)).toBe(still)
})

test("a file that goes on behind its image is refused, whatever follows", async () => {
  const archive = Buffer.from("PK\x03\x04 an archive", "latin1")
  for (const format of ["png", "jpeg", "webp"] as const) {
    const file = await plain(8, 8).toFormat(format).toBuffer()
    expect(await refusalOf(Buffer.concat([file, archive]))).toBe(extra)
    expect(await refusalOf(Buffer.concat([file, Buffer.from("<script>alert(1)</script>")]))).toBe(extra)
  }
})

test("what hides in a part that pictures may have doesn't come along", async () => {
  const png = await plain(8, 8).png().toBuffer()
  const hidden = chunk("tEXt", Buffer.from("Comment\0<script>alert(1)</script>"))
  const picture = await squarePicture(Buffer.concat([png.subarray(0, 33), hidden, png.subarray(33)]))
  expect(picture.includes("script")).toBe(false)
})

test("a part that grows a thousandfold when it is unpacked ends nothing but itself", async () => {
  const png = await plain(8, 8).png().toBuffer()
  const grows = Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(Buffer.alloc(200_000_000))])
  const file = Buffer.concat([png.subarray(0, 33), chunk("zTXt", grows), png.subarray(33)])
  expect(["accepted", broken]).toContain(await refusalOf(file))
})

test.each(["png", "jpeg", "webp"] as const)("a %s that was cut off is refused", async (format) => {
  const noise = sharp({
    create: { width: 64, height: 64, channels: 3, background: red, noise: { type: "gaussian", mean: 128, sigma: 60 } },
  })
  const file = await noise.toFormat(format).toBuffer()
  for (const share of [0.02, 0.3, 0.7, 0.999]) {
    expect(await refusalOf(file.subarray(0, Math.max(12, Math.floor(file.length * share))))).toBe(broken)
  }
})

test("a picture whose data lie, or end too soon, is refused", async () => {
  for (const data of [Buffer.alloc(400, 0x55), deflateSync(Buffer.alloc(40)), Buffer.alloc(0)]) {
    expect(await refusalOf(pngOf(640, 640, data))).toBe(broken)
  }
})

test("one is drawn at a time, and too many at once are told to wait", async () => {
  const file = await plain(8, 8).png().toBuffer()
  const many = await Promise.all(Array.from({ length: 14 }, () => refusalOf(file)))
  expect(new Set(many)).toEqual(new Set(["accepted", errorMessages.overloaded]))
  expect(many.filter((each) => each === errorMessages.overloaded).length).toBeGreaterThanOrEqual(5)
})

/** A PNG that says it is so large, in a few hundred bytes a megapixel. */
function bomb(width: number, height: number): Buffer {
  return pngOf(width, height, deflateSync(Buffer.alloc(Math.min(50_000_000, (width / 8 + 1) * height))))
}

function pngOf(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0], 8)
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
