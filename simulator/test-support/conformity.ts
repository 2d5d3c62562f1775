import { OpenAPIBackend } from "openapi-backend"
import { callbackPaths, readCentralBankDocument } from "./central-bank-document.ts"

export type Exchange = {
  method: string
  /** Path below the API's address, with its query. */
  path: string
  requestHeaders: Record<string, string>
  requestBody: unknown
  status: number
  responseBody: unknown
}

type Conformity = {
  /** The operation and status in the document's words; null where it has no such path. */
  nameOf(exchange: Exchange): string | null
  violationsOf(exchange: Exchange): string[]
  violationsOfCallback(body: unknown): string[]
}

const formats = {
  // RFC 3339, which requires a zone.
  "date-time": /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uri: /^[a-z][a-z0-9+.-]*:[^\s]+$/i,
}

/** Validates the traffic against the Central Bank's document. */
export async function openConformity(): Promise<Conformity> {
  const api = new OpenAPIBackend({
    definition: readCentralBankDocument(
      /^\/((cob|pix|webhook|webhookrec|webhookcobr|aviso|locrec|solicrec|cobr)\b|rec($|\/\{idRec\})|cobv(\/\{txid\})?$)/,
    ),
    ajvOpts: { allErrors: true },
    customizeAjv(ajv) {
      for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format)
      return ajv
    },
  })
  await api.init()
  const { router, validator } = api

  function violations(exchange: Exchange): string[] {
    const { path, status, responseBody } = exchange
    const request = { ...exchange, headers: exchange.requestHeaders, body: exchange.requestBody }
    const operation = router.matchOperation(request)
    if (operation === undefined) return [`${exchange.method} ${path}: not in the document`]
    const answers = Object.keys(operation.responses ?? {})
    return [
      // Invalid requests are sent on purpose and must be refused, so only the refusal is validated.
      ...(status === 400 ? [] : (validator.validateRequest(request, operation).errors ?? [])),
      ...(validator.validateResponse(responseBody, operation, status).errors ?? []),
    ]
      .map(({ instancePath, message }) => `${operation.operationId} ${status} ${instancePath} ${message}`)
      .concat(answers.includes(String(status)) ? [] : [`${operation.operationId} never answers ${status}`])
  }

  return {
    nameOf(exchange) {
      const operation = router.matchOperation({ ...exchange, headers: {} })
      return operation === undefined ? null : `${operation.operationId} ${exchange.status}`
    },
    violationsOf: violations,
    violationsOfCallback(requestBody) {
      const [list = "pix"] = Object.keys(requestBody as object) as (keyof typeof callbackPaths)[]
      return violations({ ...notice, path: callbackPaths[list], requestBody, responseBody: undefined })
    },
  }
}

const notice = {
  method: "POST",
  requestHeaders: { "content-type": "application/json" },
  status: 200,
}
