import { create } from "qrcode"

const MARGIN_MODULES = 4

/** Black on white with its quiet zone, as one path: sharp at every size that somebody prints. */
export function qrSvg(text: string): string {
  const { modules } = create(text, { errorCorrectionLevel: "Q" })
  const side = modules.size + 2 * MARGIN_MODULES
  let path = ""
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) path += `M${column + MARGIN_MODULES} ${row + MARGIN_MODULES}h1v1h-1z`
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`,
  ].join("")
}
