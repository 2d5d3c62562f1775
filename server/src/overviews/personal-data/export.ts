import { PassThrough, type Readable } from "node:stream"
import { ZipFile } from "yazl"
import { csvOf, type TableExports } from "#db/exports"
import type { Tx } from "#db/transaction"
import { currentDevice } from "#kit/request-scope"
import { issueNotMeLink } from "#people/freezes/freeze"
import { lockAccount } from "#people/users/change-user"
import { type ExportDeps, startFile } from "#platform/audit/export"
import { limitAction } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { notifyOwner } from "#platform/mails/notify-owner"
import { type Dataset, jsonOf } from "./columns-reads.ts"
import { datasetsOf } from "./reads.ts"

const action = "personal_data.exported"
/** It is everything that a thief would want, and reads everything that there is. */
const limit = { times: 3, windowSeconds: 86_400 }

/** Everything that is kept about an account, as a ZIP, for its owner alone. @throws too_many_requests, too_many_exports */
export async function exportPersonalData(deps: ExportDeps, actor: Actor): Promise<Readable> {
  const madeAt = deps.clock.now()
  const file = {
    action,
    actor,
    audience: "seller",
    filter: { userId: actor.id },
    before: (tx: Tx, now: Date) => allowAndNotify(tx, actor, now),
  } as const
  return startFile(deps, file, async () => zipDatasets(deps.tableExports, datasetsOf(actor.id), readme(madeAt), madeAt))
}

async function allowAndNotify(tx: Tx, actor: Actor, now: Date): Promise<void> {
  await lockAccount(tx, actor.id)
  await limitAction(tx, { action, actorId: actor.id, now }, limit)
  const notMe = await issueNotMeLink(tx, actor.id, now)
  const whence = { address: actor.address, userAgent: actor.device ?? currentDevice() }
  await notifyOwner(
    tx,
    { userId: actor.id, notice: { kind: "data_exported", exportedAt: now.toISOString(), ...whence }, notMe },
    now,
  )
}

const readme = (madeAt: Date) =>
  [
    "Tudo o que esta plataforma guarda sobre a sua conta.",
    `Gerado em ${madeAt.toISOString()} (UTC).`,
    "",
    "xlsx/  para abrir em planilhas: com datas de São Paulo e valores em reais.",
    "csv/   os mesmos dados em texto, separado por ponto e vírgula.",
    "json/  os mesmos dados para programas: datas em UTC e valores em reais.",
    "",
    "Senhas, segredos, códigos e chaves nunca saem daqui: deles a plataforma só guarda resumos ou textos cifrados.",
    "O que a administração anotou sobre a conta se pede pelo contato de privacidade.",
    "Do que foi apagado pelo tempo de guarda, ou a pedido de quem pagou, nada aparece.",
    "",
  ].join("\r\n")

interface Part {
  name: string
  open(): Promise<Readable>
}

/**
 * A ZIP that is made while it is read. A part is opened when the one before has been read, so that one query runs at a
 * time and nothing piles up in memory, however long the history is.
 */
function zipDatasets(exports: TableExports, datasets: readonly Dataset[], readme: string, madeAt: Date): Readable {
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

function partsOf(exports: TableExports, datasets: readonly Dataset[]): Part[] {
  return datasets.flatMap((dataset) => [
    { name: `xlsx/${dataset.file}.xlsx`, open: () => exports.openXlsx(dataset) },
    { name: `csv/${dataset.file}.csv`, open: () => exports.open(csvOf(dataset)) },
    { name: `json/${dataset.file}.json`, open: () => exports.openJson(jsonOf(dataset)) },
  ])
}
