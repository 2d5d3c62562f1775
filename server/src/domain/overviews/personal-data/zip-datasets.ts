import { PassThrough, type Readable } from "node:stream"
import { ZipFile } from "yazl"
import type { CsvExports } from "#db/csv-exports"
import { csvOf, type Dataset, jsonOf } from "./dataset-repository.ts"

interface Part {
  name: string
  open(): Promise<Readable>
}

/**
 * A ZIP that is made while it is read. A part is opened when the one before has been read, so that one query runs at a
 * time and nothing piles up in memory, however long the history is.
 */
export function zipDatasets(exports: CsvExports, datasets: readonly Dataset[], readme: string, madeAt: Date): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  let reading: Readable | undefined
  const fail = (error: Error) => output.destroy(error)
  zip.on("error", fail)
  output.once("close", () => reading?.destroy())
  zip.addBuffer(Buffer.from(readme), "LEIA-ME.txt", { mtime: madeAt })
  for (const part of partsOf(exports, datasets)) {
    zip.addReadStreamLazy(part.name, { mtime: madeAt, forceZip64Format: true }, (give) => {
      if (output.destroyed) return
      part.open().then(
        (content) => {
          reading = content
          content.once("error", fail)
          if (output.destroyed) content.destroy()
          else give(null, content)
        },
        (error: unknown) => fail(error instanceof Error ? error : new Error("a part failed", { cause: error })),
      )
    })
  }
  zip.end()
  zip.outputStream.pipe(output)
  return output
}

function partsOf(exports: CsvExports, datasets: readonly Dataset[]): Part[] {
  return datasets.flatMap((dataset) => [
    { name: `csv/${dataset.file}.csv`, open: () => exports.open(csvOf(dataset)) },
    { name: `json/${dataset.file}.json`, open: () => exports.openJson(jsonOf(dataset)) },
  ])
}
