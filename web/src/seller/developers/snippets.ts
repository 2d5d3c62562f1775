interface Place {
  /** The API's address, without a slash at its end. */
  url: string
  /** Known only right after it was created. */
  key: string | null
}

const placeholder = "tk_SUA_CHAVE"

/** The key stays out of the programs: both ways begin with variables. */
function variables({ url, key }: Place): string {
  return `export TILINTA_URL='${url}'
export TILINTA_API_KEY='${key ?? placeholder}'`
}

/** Steps to paste into a terminal. A test runs them as they are shown. */
export const curlSnippets = {
  prepare: variables,
  charge: `PEDIDO=pedido-$(date +%s)
curl -sS "$TILINTA_URL/api/v1/charges" \\
  -H "Authorization: Bearer $TILINTA_API_KEY" \\
  -H "Idempotency-Key: $PEDIDO" \\
  -H 'Content-Type: application/json' \\
  -d '{ "amount": 49.9, "externalReference": "'$PEDIDO'" }'`,
  events: `curl -sS "$TILINTA_URL/api/v1/events?last=10" \\
  -H "Authorization: Bearer $TILINTA_API_KEY"`,
} as const

/** The same as a program, which ends when its charge is paid. It is JavaScript as well, for a Node without type stripping. */
export const typeScriptSnippets = {
  prepare: (place: Place) => `npm install @tilinta/client
${variables(place)}`,
  program: `import { createTilinta } from "@tilinta/client"

const { TILINTA_URL = "", TILINTA_API_KEY = "" } = process.env
const tilinta = createTilinta({ url: TILINTA_URL, apiKey: TILINTA_API_KEY })

const { next: after } = await tilinta.listEvents({ query: { last: 1 } })
const pedido = \`pedido-\${Date.now()}\`
const { charge } = await tilinta.createCharge({
  body: { amount: 49.9, externalReference: pedido },
  idempotencyKey: pedido,
})
console.log(charge.pixCode)

for await (const event of tilinta.events({ after, types: ["charge.paid"] })) {
  if (event.type !== "charge.paid") continue
  if (event.data.transaction._id !== charge._id) continue
  console.log("Pago:", event.data.transaction.amount)
  break
}
`,
  run: "node loja.ts",
} as const
