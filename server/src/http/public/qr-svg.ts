import { encodeQr } from "@tilinta/brcode/qr/encode-qr"

const MARGIN_MODULES = 4

/** Black on white with its quiet zone, as one path: sharp at every printed size. */
export function qrSvg(text: string, level: "M" | "Q" = "Q"): string {
  const code = encodeQr(text, { level })
  const side = code.size + 2 * MARGIN_MODULES
  let path = ""
  for (let row = 0; row < code.size; row++) {
    for (let column = 0; column < code.size; column++) {
      if (!code.isDark(row, column)) continue
      const start = column
      while (column + 1 < code.size && code.isDark(row, column + 1)) column++
      path += `M${start + MARGIN_MODULES} ${row + MARGIN_MODULES}h${column - start + 1}v1H${start + MARGIN_MODULES}z`
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`,
  ].join("")
}
