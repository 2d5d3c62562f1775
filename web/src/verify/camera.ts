import type { ReadQr } from "./qr-reader.ts"

const scanEveryMs = 200

/** Shows the camera until it sees a code, which it returns, or until it is stopped: then null. Throws when it isn't allowed. */
export async function readFromCamera(
  video: HTMLVideoElement,
  readQr: ReadQr,
  stopped: AbortSignal,
): Promise<string | null> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false })
  try {
    video.srcObject = stream
    await video.play()
    while (!stopped.aborted) {
      const text = await readQr(video)
      if (text !== null) return text
      await new Promise((resolve) => setTimeout(resolve, scanEveryMs))
    }
    return null
  } finally {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
}
