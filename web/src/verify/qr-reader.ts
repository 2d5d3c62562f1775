type Picture = HTMLVideoElement | ImageBitmap

/** The text of the QR code in a picture; null without one. */
export type ReadQr = (picture: Picture) => Promise<string | null>

interface Detector {
  detect(picture: Picture): Promise<{ rawValue: string }[]>
}

interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

/** By the browser where it reads codes, else by a library that is loaded with the first picture. */
export async function openQrReader(): Promise<ReadQr> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const formats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  if (BarcodeDetector === undefined || !formats.includes("qr_code")) return readByLibrary
  const detector = new BarcodeDetector({ formats: ["qr_code"] })
  return async (picture) => (await detector.detect(picture))[0]?.rawValue ?? null
}

/** Enough for a code that fills half of the picture, and few enough for a slow phone. */
const forFrame = { sides: [1_000], timeLimit: 250 }
/** A picture of a whole page has a small code somewhere, and there is no next frame. */
const forPicture = { sides: [1_000, 4_000], timeLimit: 5_000 }

const canvas = document.createElement("canvas")

async function readByLibrary(picture: Picture): Promise<string | null> {
  const { default: decodeQr } = await import("qr/decode.js")
  const isFrame = picture instanceof HTMLVideoElement
  const [width, height] = isFrame ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height]
  const { sides, timeLimit } = isFrame ? forFrame : forPicture
  const longest = Math.max(width, height, 1)
  // A small picture is read once.
  for (const side of new Set(sides.map((most) => Math.min(most, longest)))) {
    canvas.width = Math.max(1, Math.round((width * side) / longest))
    canvas.height = Math.max(1, Math.round((height * side) / longest))
    const drawing = canvas.getContext("2d", { willReadFrequently: true })
    drawing?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    try {
      if (drawing !== null) return decodeQr(drawing.getImageData(0, 0, canvas.width, canvas.height), { timeLimit })
    } catch {}
  }
  return null
}
