import { pauseFor } from "./send-request.ts"
import type { Schemas, Tilinta } from "./tilinta.ts"

interface Sandbox {
  tilinta: Tilinta
  url: string
}

/** How each event is made to happen, by the same calls as a shop's. Each returns what to print. */
export const triggers = {
  "page.created": async ({ tilinta }: Sandbox) => (await createPage(tilinta))._id,
  "page.updated": async ({ tilinta }: Sandbox) => {
    const { _id } = await createPage(tilinta)
    await tilinta.updateChargePage({ params: { id: _id }, body: { title: "Cobrança de teste, alterada" } })
    return _id
  },
  "page.deleted": async ({ tilinta }: Sandbox) => {
    const { _id } = await createPage(tilinta)
    await tilinta.deleteChargePage({ params: { id: _id } })
    return _id
  },
  "page.completed": async (sandbox: Sandbox) => (await paid(sandbox)).transactionId,
  "charge.created": async ({ tilinta }: Sandbox) => (await charge(tilinta)).transactionId,
  "charge.paid": async (sandbox: Sandbox) => (await paid(sandbox)).transactionId,
  "charge.cancelled": async ({ tilinta }: Sandbox) => {
    const { page, transactionId } = await charge(tilinta)
    await tilinta.cancelChargePage({ params: { id: page._id } })
    return transactionId
  },
  "charge.refunded": async (sandbox: Sandbox) => {
    const { transactionId } = await paid(sandbox)
    await sandbox.tilinta.refundTransaction({ params: { id: transactionId }, body: { reason: "Teste" } })
    return transactionId
  },
}

export async function trigger(
  tilinta: Tilinta,
  { type, apiKey, url }: { type: keyof typeof triggers; apiKey: string; url: string },
): Promise<void> {
  if (!apiKey.startsWith("tk_test_")) throw new TypeError("Only a sandbox has events to trigger: use a tk_test_ key.")
  const id = await triggers[type]({ tilinta, url: url.replace(/(?<!\/)\/+$/, "") })
  process.stdout.write(`${type} ${id}\n`)
}

async function createPage(tilinta: Tilinta): Promise<Schemas["ChargePage"]> {
  const body = {
    title: "Cobrança de teste",
    slug: "cobranca-de-teste",
    amount: 25,
    pixConfig: { allowAnonymous: true },
  }
  return (await tilinta.createChargePage({ body })).checkoutPage
}

async function charge(tilinta: Tilinta) {
  const page = await createPage(tilinta)
  return { page, ...(await tilinta.processPixPayment({ body: { checkoutPageId: page._id } })) }
}

/** Pays as the payer does, in the app of the simulated bank, and waits until the server knows. */
async function paid({ tilinta, url }: Sandbox) {
  const made = await charge(tilinta)
  const answer = await fetch(`${url}/simulador/api/pagamentos`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pixCopiaECola: made.pixCode }),
  })
  if (!answer.ok) throw new TypeError(`The simulated bank answered ${answer.status}`)
  for (;;) {
    const { transactionId, payerToken: k } = made
    const { status } = await tilinta.getPaymentStatus({ params: { transactionId }, query: { k } })
    if (status === "pago") return made
    await pauseFor(200)
  }
}
