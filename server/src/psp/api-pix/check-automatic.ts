import { decodeBrCode } from "@tilinta/brcode/decode"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { newShortId } from "#kit/ids"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { type ApiPixOptions, createApiPixPsp } from "./api-pix-psp.ts"
import { callFinding, type Finding, finding, Problem, webhookFinding } from "./findings.ts"
import { pageQuery } from "./list-pages.ts"

/** Lists and webhooks of Pix Automático; with `createsRecurrence` also a recurrence, which is cancelled again. */
export async function* automaticFindings(
  client: ApiPixClient,
  options: ApiPixOptions,
  { webhookPrefix, createsRecurrence }: { webhookPrefix: string; createsRecurrence: boolean },
): AsyncGenerator<Finding> {
  const day = { from: secondsAfter(new Date(), -86_400), to: new Date() }
  for (const [what, path] of [
    ["Recorrências", "/rec"],
    ["Débitos do Pix Automático", "/cobr"],
  ] as const) {
    yield await callFinding(`${what} (GET ${path})`, () =>
      client.request("GET", `${path}?${pageQuery(day, { page: 0 })}`),
    )
  }
  yield await webhookFinding(client, "Webhook das recorrências", "/webhookrec", webhookPrefix)
  yield await webhookFinding(client, "Webhook dos débitos", "/webhookcobr", webhookPrefix)
  if (createsRecurrence) yield await newRecurrenceFinding(options)
}

function newRecurrenceFinding(options: ApiPixOptions): Promise<Finding> {
  const advice =
    "Confira se o Pix Automático está contratado, se o CNPJ tem 6 meses, e os escopos rec e payloadlocationrec."
  return finding("Recorrência de R$ 1,00", advice, async () => {
    const { automatic } = createApiPixPsp(options)
    if (automatic === null) throw new Problem("sem Pix Automático")
    const { recurrenceId } = await automatic.createRecurrence({
      contract: `teste-${newShortId()}`,
      object: "Teste da plataforma",
      debtor: { name: "Teste da plataforma", document: "52998224725" },
      amountCents: 100 as Cents,
      period: "monthly",
      firstDay: saoPauloDay(secondsAfter(new Date(), 30 * 86_400)),
      lastDay: null,
      retryPolicy: "none",
      firstTxid: null,
    })
    const { pixCode } = (await automatic.findRecurrence(recurrenceId)) ?? {}
    const decoded = decodeBrCode(pixCode ?? "")
    if (!decoded.valid) throw new Problem("criada, mas sem um código Pix válido")
    const ended = await automatic.cancelRecurrence(recurrenceId)
    if (ended !== "cancelled") throw new Problem(`criada, mas não cancelada (${ended})`)
    return `criada (${recurrenceId}), com um código que autoriza, e cancelada.`
  })
}
