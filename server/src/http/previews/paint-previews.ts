import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { initWasm, Resvg } from "@resvg/resvg-wasm"
import { type Advances, drawPreview, type PreviewSubject, readAdvances } from "./draw.ts"

/** Runs in a child process, because the renderer keeps a hundred megabytes as long as it lives. */
const fontFolder = process.argv[2] ?? ""

const readFonts = (weight: number): Promise<Buffer[]> =>
  Promise.all(["latin", "latin-ext"].map((subset) => readFile(join(fontFolder, `figtree-${subset}-${weight}.ttf`))))

function advancesOf(fonts: readonly Buffer[]): Advances {
  return new Map(fonts.toReversed().flatMap((font) => [...readAdvances(font)]))
}

await initWasm(await readFile(createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm")))
const [mediumFonts, boldFonts] = await Promise.all([readFonts(500), readFonts(700)])
const fonts = { medium: advancesOf(mediumFonts), bold: advancesOf(boldFonts) }
const font = { fontBuffers: [...mediumFonts, ...boldFonts], defaultFontFamily: "Figtree", loadSystemFonts: false }

process.on("message", ({ id, subject }: { id: number; subject: PreviewSubject }) => {
  const drawing = new Resvg(drawPreview(subject, fonts), { font })
  const image = drawing.render()
  const png = image.asPng()
  image.free()
  drawing.free()
  process.send?.({ id, png })
})
