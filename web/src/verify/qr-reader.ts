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
const mostPixels = 1_000
/** One picture may take longer than a frame of the camera. */
const effort = { timeLimit: 250 }

const canvas = document.createElement("canvas")

async function readByLibrary(picture: Picture): Promise<string | null> {
  const { default: decodeQr } = await import("qr/decode.js")
  const [width, height] =
    picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height]
  const scale = Math.min(1, mostPixels / Math.max(width, height, 1))
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const drawing = canvas.getContext("2d", { willReadFrequently: true })
  if (drawing === null) return null
  drawing.drawImage(picture, 0, 0, canvas.width, canvas.height)
  try {
    return decodeQr(drawing.getImageData(0, 0, canvas.width, canvas.height), effort)
  } catch {
    return null
  }
}
