/** The text of the QR code in a picture; null without one. */
export type ReadQr = (picture: HTMLVideoElement | ImageBitmap) => Promise<string | null>

interface Detector {
  detect(picture: HTMLVideoElement | ImageBitmap): Promise<{ rawValue: string }[]>
}

interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

/** Null in a browser that reads no codes by itself: there the phone's own camera opens the link that the code holds. */
export async function openQrReader(): Promise<ReadQr | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  if (BarcodeDetector === undefined || !(await BarcodeDetector.getSupportedFormats()).includes("qr_code")) return null
  const detector = new BarcodeDetector({ formats: ["qr_code"] })
  return async (picture) => (await detector.detect(picture))[0]?.rawValue ?? null
}
