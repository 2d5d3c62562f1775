import { buffer } from "node:stream/consumers"
import sharp from "sharp"

/** Runs in a process of its own: reads a picture's file, writes its middle square as a PNG, or says why not. */
const SIZE = 256
const MOST_SIDE = 4_096
const MOST_PIXELS = 16_000_000
/** More than twice of what the largest takes. However busy the machine is, an honest file is drawn. */
const MOST_CPU_SECONDS = 10

sharp.cache(false)
sharp.concurrency(1)
// No other decoder is ever reached, whatever a file looks like.
sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({ operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer", "VipsForeignLoadWebpBuffer"] })

/** The parent reads the reason from the status. */
const exitCodes = { pixels: 3, broken: 4 }

function refuse(reason: keyof typeof exitCodes): never {
  process.exit(exitCodes[reason])
}

setInterval(() => {
  if (process.cpuUsage().user > MOST_CPU_SECONDS * 1_000_000) refuse("broken")
}, 200).unref()

const file = await buffer(process.stdin)
const { width, height } = await sharp(file, { limitInputPixels: false })
  .metadata()
  .catch(() => refuse("broken"))
if (width > MOST_SIDE || height > MOST_SIDE || width * height > MOST_PIXELS) refuse("pixels")

// Its orientation is applied; this and all else that the file tells about its making, place and time stays behind.
const picture = sharp(file, { failOn: "error", limitInputPixels: MOST_PIXELS, sequentialRead: true })
const square = picture.autoOrient().resize(SIZE, SIZE, { fit: "cover", position: "centre" }).toColourspace("srgb")
const png = square.png({ palette: true, quality: 95, compressionLevel: 9, effort: 7 })
process.stdout.write(await png.toBuffer().catch(() => refuse("broken")))
