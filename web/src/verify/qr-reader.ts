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

interface Effort {
  mostPixels: number
  timeLimit: number
}

/** Enough for a code that fills half of the picture, few enough for a slow phone, and not much longer than a frame takes. */
const forFrame: Effort = { mostPixels: 1_000, timeLimit: 250 }
/** A picture of a whole page has a small code somewhere, and there is no next frame. */
const forPicture: Effort = { mostPixels: 4_000, timeLimit: 5_000 }

const canvas = document.createElement("canvas")

async function readByLibrary(picture: Picture): Promise<string | null> {
  const { default: decodeQr } = await import("qr/decode.js")
  if (picture instanceof HTMLVideoElement) {
    return read({ source: picture, width: picture.videoWidth, height: picture.videoHeight }, forFrame)
  }
  const still = { source: picture, width: picture.width, height: picture.height }
  return read(still, { ...forFrame, timeLimit: forPicture.timeLimit }) ?? read(still, forPicture)

  function read({ source, width, height }: Sized, { mostPixels, timeLimit }: Effort): string | null {
    const scale = Math.min(1, mostPixels / Math.max(width, height, 1))
    canvas.width = Math.max(1, Math.round(width * scale))
    canvas.height = Math.max(1, Math.round(height * scale))
    const drawing = canvas.getContext("2d", { willReadFrequently: true })
    if (drawing === null) return null
    drawing.drawImage(source, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQr(drawing.getImageData(0, 0, canvas.width, canvas.height), { timeLimit })
    } catch {
      return null
    }
  }
}

interface Sized {
  source: Picture
  width: number
  height: number
}
