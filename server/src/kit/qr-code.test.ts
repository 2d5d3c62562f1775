import { crc32, inflateSync } from "node:zlib"
import { decodeQR } from "qr/decode.js"
import { expect, test } from "vitest"
import { qrModules, qrPng, qrSvg } from "./qr-code.ts"

/** Every length from the smallest symbol to the largest that a link or a Pix code needs. */
const texts = [0, 1, 3, 6, 11, 17].map((at) => `00020126${"br.gov.bcb.pix/".repeat(at)}6304ABCD`)

interface Image {
  side: number
  isDark(x: number, y: number): boolean
}

/** A reader by the PNG specification: one bit per pixel, rows with filter none or up. */
function readPng(png: Buffer): Image {
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n")
  const parts = new Map<string, Buffer>()
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(png.subarray(at + 4, at + 8 + length)))
    parts.set(png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  expect([...parts.keys()]).toEqual(["IHDR", "IDAT", "IEND"])
  const header = parts.get("IHDR") ?? Buffer.alloc(13)
  const side = header.readUInt32BE(0)
  expect([header.readUInt32BE(4), ...header.subarray(8)]).toEqual([side, 1, 0, 0, 0, 0])
  return { side, isDark: darkPixels(inflateSync(parts.get("IDAT") ?? ""), side) }
}

function darkPixels(packed: Buffer, side: number): Image["isDark"] {
  const width = Math.ceil(side / 8)
  const rows: number[][] = []
  for (let y = 0; y < side; y++) {
    const [filter = 0, ...bytes] = packed.subarray(y * (width + 1), (y + 1) * (width + 1))
    expect([0, 2]).toContain(filter)
    rows.push(filter === 0 ? bytes : bytes.map((byte, at) => (byte + (rows[y - 1]?.[at] ?? 0)) & 255))
  }
  return (x, y) => (((rows[y]?.[x >> 3] ?? 0) >> (7 - (x & 7))) & 1) === 0
}

/** The path's segments are `M<x> <y>h<width>v1H<x>z`, one module high. */
function readSvg(svg: string): Image {
  const dark = new Set<string>()
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    for (let at = 0; at < Number(width); at++) dark.add(`${Number(x) + at} ${y}`)
  }
  return { side: Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]), isDark: (x, y) => dark.has(`${x} ${y}`) }
}

/** The first two bits of a symbol's format, as its mask leaves them. */
const levelBits = { M: [true, false], Q: [false, true] }

test.for([
  ["PNG", "M", 6, (text: string) => readPng(qrPng(text))],
  ["SVG", "Q", 1, (text: string) => readSvg(qrSvg(text))],
] as const)("a %s shows every module of its code, amid four light ones", ([, level, pixels, read]) => {
  for (const text of texts) {
    const code = qrModules(text, level)
    const size = code.length - 8
    const image = read(text)
    expect(image.side).toBe(code.length * pixels)
    expect([code[4 + 8]?.[4], code[4 + 8]?.[5]]).toEqual(levelBits[level])
    const wrong: string[] = []
    for (let y = 0; y < image.side; y++) {
      for (let x = 0; x < image.side; x++) {
        const [row, column] = [Math.floor(y / pixels), Math.floor(x / pixels)]
        const isInside = row >= 4 && column >= 4 && row < size + 4 && column < size + 4
        if (image.isDark(x, y) !== (isInside && code[row]?.[column] === true)) wrong.push(`${x} ${y}`)
      }
    }
    expect(wrong).toEqual([])
    expect(textIn(image)).toBe(text)
  }
})

/** As a camera sees it: larger, in colours. */
function textIn({ side, isDark }: Image): string {
  const scale = Math.ceil(400 / side)
  const width = side * scale
  const data = new Uint8ClampedArray(width * width * 4)
  for (let at = 0; at < width * width; at++) {
    const shade = isDark(Math.floor((at % width) / scale), Math.floor(at / width / scale)) ? 0 : 255
    data.set([shade, shade, shade, 255], at * 4)
  }
  return decodeQR({ width, height: width, data })
}

test("a text that no code holds is refused", () => {
  expect(qrModules("x".repeat(2_331), "M")).toHaveLength(177 + 8)
  expect(() => qrModules("x".repeat(2_332), "M")).toThrow("Capacity overflow")
})
