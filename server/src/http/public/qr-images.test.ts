import { crc32, inflateSync } from "node:zlib"
import { encodeQr } from "@tilinta/brcode/qr/encode-qr"
import { expect, test } from "vitest"
import { qrPng } from "./qr-png.ts"
import { qrSvg } from "./qr-svg.ts"

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

test.for([
  ["PNG", "M", 6, (text: string) => readPng(qrPng(text))],
  ["SVG", "Q", 1, (text: string) => readSvg(qrSvg(text))],
] as const)("a %s shows every module of its code, amid four light ones", ([, level, pixels, read]) => {
  for (const text of texts) {
    const code = encodeQr(text, { level })
    const image = read(text)
    expect(image.side).toBe((code.size + 8) * pixels)
    const wrong: string[] = []
    for (let y = 0; y < image.side; y++) {
      for (let x = 0; x < image.side; x++) {
        const [row, column] = [Math.floor(y / pixels) - 4, Math.floor(x / pixels) - 4]
        const isInside = row >= 0 && column >= 0 && row < code.size && column < code.size
        if (image.isDark(x, y) !== (isInside && code.isDark(row, column))) wrong.push(`${x} ${y}`)
      }
    }
    expect(wrong).toEqual([])
  }
})
