import type { Readable } from "node:stream"
import type { Tx } from "#db/transaction"
import { issueNotMeLink } from "#domain/people/freezes/not-me-links"
import { lockAccount } from "#domain/people/users/lock-account"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { limitAction } from "#domain/platform/audit/limit-action"
import { type ExportDeps, startFile } from "#domain/platform/audit/start-export"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import { currentDevice } from "#kit/request-scope"
import { datasetsOf } from "./personal-data-repository.ts"
import { zipDatasets } from "./zip-datasets.ts"

const action = "personal_data.exported"
/** It is everything that a thief would want, and reads everything that there is. */
const limit = { times: 3, windowSeconds: 86_400 }

/** Everything that is kept about an account, as a ZIP, for its owner alone. @throws too_many_requests, too_many_exports */
export async function exportPersonalData(deps: ExportDeps, actor: Actor): Promise<Readable> {
  const madeAt = deps.clock.now()
  const wish = {
    action,
    actor,
    audience: "seller",
    filter: { userId: actor.id },
    before: (tx: Tx, now: Date) => allowAndTell(tx, actor, now),
  } as const
  return startFile(deps, wish, async () => zipDatasets(deps.csvExports, datasetsOf(actor.id), readme(madeAt), madeAt))
}

async function allowAndTell(tx: Tx, actor: Actor, now: Date): Promise<void> {
  await lockAccount(tx, actor.id)
  await limitAction(tx, { action, actorId: actor.id, now }, limit)
  const notMe = await issueNotMeLink(tx, actor.id, now)
  const whence = { address: actor.address, userAgent: actor.device ?? currentDevice() }
  await tellOwner(
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
    "csv/   para abrir em planilhas: separado por ponto e vírgula, com datas de São Paulo e valores em reais.",
    "json/  os mesmos dados para programas: datas em UTC e valores em reais.",
    "",
    "Senhas, segredos, códigos e chaves nunca saem daqui: deles a plataforma só guarda resumos ou textos cifrados.",
    "Do que foi apagado pelo tempo de guarda, ou a pedido de quem pagou, nada aparece.",
    "",
  ].join("\r\n")
