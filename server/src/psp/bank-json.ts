/**
 * The names that we read in providers' answers and webhooks, as their documents spell them. The schemas' names all stand
 * here, which a test checks.
 */
export const knownNames = [
  ...["access_token", "expires_in", "scope", "webhookUrl"],
  ...["endToEndId", "e2eId", "txid", "valor", "horario", "chave", "devolucoes", "pix", "status", "tipo", "natureza"],
  ...["id", "rtrId", "motivo", "solicitacao", "liquidacao", "calendario", "criacao", "expiracao", "original"],
  ...["pixCopiaECola", "brcode", "textoImagemQRcode", "location", "loc", "pagador"],
  ...["parametros", "paginacao", "quantidadeDePaginas", "saldo", "bloqueios", "total", "idEnvio", "gnExtras", "erro"],
  ...[
    "componentesValor",
    "dataDeVencimento",
    "validadeAposVencimento",
    "multa",
    "juros",
    "desconto",
    "modalidade",
    "valorPerc",
  ],
  ...["descontoDataFixa", "data"],
  ...["recs", "idRec", "vinculo", "contrato", "valorRec", "ativacao", "tipoJornada", "atualizacao", "encerramento"],
  ...["rejeicao", "cancelamento", "solicitante", "dadosQR", "cobsr", "tentativas", "dataLiquidacao"],
  ...["infracoes", "idInfracao", "razao", "tipoSituacao", "comentario", "justificativaAnalista", "dadosAnalise"],
  ...["abertura", "prazoFinalizacao", "finalizacao", "criadoEm", "atualizadoEm"],
  ...["detail", "mensagem", "message", "error_description", "faultstring", "descricao", "title", "fault", "erros"],
  ...[
    "_message",
    "_details",
    "_errorCode",
    "errors",
    "details",
    "error",
    "violacoes",
    "propriedade",
    "type",
    "nome",
    "codigo",
    "code",
    "errorcode",
  ],
  ...["charge", "correlationID", "value", "brCode", "transaction", "transactions", "payment", "payments", "time"],
  ...["pageInfo", "hasNextPage", "refund", "refunds", "refundId", "returnIdentification", "createdAt", "description"],
  ...["webhooks", "event", "url", "isActive", "originalTransaction", "dispute"],
] as const

const fold = (name: string) => name.trim().toLowerCase()
/** Some names have two spellings, such as Woovi's `brCode` and the banks' `brcode`: a reader asks for either. */
const spellings = Map.groupBy(knownNames, fold)
const asWeReadIt: ReadonlySet<string> = new Set(knownNames.filter((name) => spellings.get(fold(name))?.length === 1))

/**
 * The one door of what providers write, answers and webhooks alike: a name counts whatever its case, a text
 * without the white space around it. Undefined for what is not JSON.
 */
export function readBankJson(text: string): unknown {
  try {
    return tidy(JSON.parse(text.trim()))
  } catch {
    return undefined
  }
}

/** Changes the value, which is new, in place: a list has thousands of fields, nearly all of them as they should be. */
function tidy(value: unknown): unknown {
  if (typeof value === "string") return value.trim()
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = tidy(value[at])
    return value
  }
  const fields = value as Record<string, unknown>
  for (const [name, written] of Object.entries(fields)) {
    const read = tidy(written)
    if (read !== written) fields[name] = read
    if (asWeReadIt.has(name)) continue
    // The right spelling wins over another one of the same name.
    for (const right of spellings.get(fold(name)) ?? []) if (!Object.hasOwn(fields, right)) fields[right] = read
  }
  return fields
}
