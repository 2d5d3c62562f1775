import { type Answer, describeRefusal, saysNone } from "#psp/bounded-http"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { webhookViewSchema } from "./api-pix-schemas.ts"
import { hostOf } from "./api-pix-webhooks.ts"

/** One line of the check, in the operator's words. */
export interface Finding {
  works: boolean
  what: string
  found: string
  /** Advice for the operator. */
  advice?: string
}

/** Turns whatever was answered or thrown into a line. */
export async function finding(what: string, advice: string, find: () => Promise<string | Answer>): Promise<Finding> {
  try {
    const found = await find()
    if (typeof found === "string") return { works: true, what, found }
    const reason = describeRefusal(found)
    return {
      works: false,
      what,
      found: `o banco respondeu ${found.status}${reason === "" ? "" : ` (${reason})`}.`,
      advice,
    }
  } catch (error) {
    if (error instanceof Problem)
      return { works: false, what, found: `${error.message}.`, advice: error.advice ?? advice }
    const { message } = error as Error
    if (message.startsWith("no answer")) return { works: false, what, ...problemOfLine(error) }
    return { works: false, what, found: `a resposta do banco não serve: ${message}.`, advice }
  }
}

/** A problem in the operator's words. */
export class Problem extends Error {
  /** Instead of the call's usual advice. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string) {
    super(message)
    this.advice = advice
  }
}

const accessAdvice = "Confira os escopos e se a API Pix está contratada para esta conta."

export function callFinding(what: string, call: () => Promise<Answer>): Promise<Finding> {
  return finding(what, accessAdvice, async () => {
    const answer = await call()
    return answer.status === 200 || saysNone(answer) ? "responde." : answer
  })
}

export function problemOfLine(error: unknown): { found: string; advice: string } {
  const { message } = error as Error
  const code = /\(([\w ]+)\)$/.exec(message)?.[1] ?? ""
  if (/ENOTFOUND|EAI_AGAIN/.test(code))
    return { found: "o nome não foi encontrado.", advice: "Confira o DNS e PIX_BASE_URL." }
  if (/ALERT/.test(code)) {
    return { found: "o banco recusou o nosso certificado.", advice: "Confira se PIX_CERT_FILE é o deste ambiente." }
  }
  if (/CERT|SELF_SIGNED|ISSUER|LEAF|ALTNAME|HOSTNAME/.test(code)) {
    return { found: `o certificado do banco não confere (${code}).`, advice: "Confira o endereço e PIX_CA_FILE." }
  }
  const why = code === "" ? "sem resposta" : `sem resposta (${code})`
  return { found: `${why}.`, advice: "Confira a rede, o firewall e PIX_BASE_URL." }
}

const takenAdvice = "Se outro sistema não precisa dele, retire-o no banco, ou troque-o com PIX_WEBHOOK_REPLACE=sim."

export function webhookFinding(client: ApiPixClient, what: string, path: string, prefix: string): Promise<Finding> {
  const advice = "O servidor o registra ao iniciar, e de hora em hora; confira PIX_KEY e o escopo webhook.write."
  return finding(what, advice, async () => {
    const answer = await client.request("GET", path)
    if (answer.status === 404) return `nenhum registrado ainda. ${advice}`
    const parsed = webhookViewSchema.safeParse(answer.body)
    if (answer.status !== 200 || !parsed.success) return answer
    if (parsed.data.webhookUrl.startsWith(prefix)) return "registrado no nosso endereço."
    const host = hostOf(parsed.data.webhookUrl)
    throw new Problem(`registrado em outro endereço, em ${host}`, takenAdvice)
  })
}
