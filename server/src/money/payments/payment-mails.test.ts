import { afterAll, expect, test } from "vitest"
import { migrate } from "#db/migrate"
import { createLog } from "#kit/log"
import type { Mailer, OutgoingMail } from "#mail/mailer"
import { changeShop } from "#people/shops/change"
import { numberEvents } from "#platform/event-log/append"
import { sendMails } from "#platform/mails/send-mails"
import { createCharge } from "#selling/charges/create"
import { erasePayerData } from "#selling/charges/payer-data"
import { asOwner } from "../../../test-support/as-owner.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { bookPayments } from "./book.ts"
import { enqueuePaymentMails } from "./mails.ts"

const sandbox = await openSandbox()

afterAll(() => sandbox.close())

async function openCharge(sellerId: string) {
  const page = await createPage(sandbox, { sellerId })
  return createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
}

const mailsOf = (sellerId: string) => deliverMails(sandbox, `${sellerId}@exemplo.com`)

test("the mail of a payment states gross, fee and net", async () => {
  const sellerId = await createSeller(sandbox)
  await bookPayments(sandbox, [receiptOf((await openCharge(sellerId)).txid, 10_000)])
  const [mail, ...rest] = await mailsOf(sellerId)
  expect(rest).toEqual([])
  expect(mail?.subject).toBe("Pagamento recebido: R$ 100,00")
  expect(mail?.text).toContain("Cobrança: Mentoria de Vendas\n")
  expect(mail?.text).toContain("Valor: R$ 100,00\nTaxa: R$ 15,00\nValor líquido: R$ 85,00")
})

test("a payment that is reported repeatedly and concurrently is mailed once", async () => {
  const sellerId = await createSeller(sandbox)
  const receipt = receiptOf((await openCharge(sellerId)).txid, 10_000)
  await bookPayments(sandbox, [receipt, receipt])
  await Promise.all(Array.from({ length: 20 }, () => bookPayments(sandbox, [receipt])))
  await Promise.all([mailsOf(sellerId), mailsOf(sellerId)])
  await bookPayments(sandbox, [receipt])
  expect(await mailsOf(sellerId)).toHaveLength(1)
})

test("a batch for several sellers mails each of them", async () => {
  const sellers = await Promise.all([createSeller(sandbox), createSeller(sandbox)])
  const charges = await Promise.all([...sellers, ...sellers].map(openCharge))
  await bookPayments(
    sandbox,
    charges.map((charge) => receiptOf(charge.txid, 10_000)),
  )
  for (const sellerId of sellers) expect(await mailsOf(sellerId)).toHaveLength(2)
})

test("no payment is skipped when transactions commit out of order, and none is told twice by two servers", async () => {
  const [late, early] = await Promise.all([createSeller(sandbox), createSeller(sandbox)])
  const ofLate = await openCharge(late)
  const ofEarly = await openCharge(early)
  const slow = await sandbox.pool.connect()
  try {
    await slow.query("begin")
    await slow.query("select pg_current_xact_id()")
    await bookPayments(sandbox, [receiptOf(ofEarly.txid, 10_000)])
    // Not until all are numbered: what is held back waits for the transaction that is held here.
    await numberEvents(sandbox)
    await enqueuePaymentMails(sandbox)
    expect(await sandbox.db.selectFrom("mails").select("id").where("user_id", "=", early).execute()).toEqual([])
    await slow.query("update charges set status = 'paid', paid_at = now(), end_to_end_id = 'E-late' where id = $1", [
      ofLate.id,
    ])
    await slow.query(
      `insert into payments (end_to_end_id, provider, txid, charge_id, seller_id, amount_cents, fee_cents, paid_at, disposition,
         charge_day, status_before)
       select 'E-late', provider, txid, id, seller_id, amount_cents, fee_cents, now(), 'credited',
         sao_paulo_day(created_at), 'pending' from charges where id = $1`,
      [ofLate.id],
    )
    await slow.query("commit")
  } finally {
    slow.release()
  }
  await numberAllEvents(sandbox.db)
  await Promise.all([enqueuePaymentMails(sandbox), enqueuePaymentMails(sandbox), enqueuePaymentMails(sandbox)])
  expect(await mailsOf(late)).toHaveLength(1)
  expect(await mailsOf(early)).toHaveLength(1)
})

// Transaction ids begin anew in the PostgreSQL that a dump is restored into.
test("after a dump is restored, payments told of stay told, and the others and new ones are told once", async () => {
  const [mailed, untold, fresh] = await Promise.all([1, 2, 3].map(() => createSeller(sandbox)))
  const bookFor = async (sellerId = "") => bookPayments(sandbox, [receiptOf((await openCharge(sellerId)).txid, 10_000)])
  await bookFor(mailed)
  expect(await mailsOf(mailed ?? "")).toHaveLength(1)
  await bookFor(untold)
  await asOwner(
    sandbox,
    "alter table payments disable trigger payments_are_final",
    "update payments set xid = (xid::text::bigint + 1000000000000)::text::xid8",
    "alter table payments enable trigger payments_are_final",
    "update numbered_events set until = (until::text::bigint + 1000000000000)::text::xid8",
    "delete from mails",
  )
  await migrate({ ownerUrl: sandbox.url, log: createLog("silent") })
  await bookFor(fresh)
  await deliverMails(sandbox)
  const written = await sandbox.db.selectFrom("mails").select("user_id").execute()
  expect(written.map(({ user_id: id }) => id).toSorted()).toEqual([untold, fresh].toSorted())
  await migrate({ ownerUrl: sandbox.url, log: createLog("silent") })
  await deliverMails(sandbox)
  expect(await sandbox.db.selectFrom("mails").select("id").execute()).toHaveLength(2)
  await expect(asOwner(sandbox, "update payments set amount_cents = 1")).rejects.toThrow("append-only")
})

test("mails are written as they are sent: a flood of payments leaves the others where they are", async () => {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId })
  const charges = []
  for (let number = 0; number < 110; number += 1) {
    charges.push(await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null }))
  }
  await bookPayments(
    sandbox,
    charges.map(({ txid }) => receiptOf(txid, 10_000)),
  )
  const written = async () => {
    const rows = await sandbox.db.selectFrom("mails").select("id").where("user_id", "=", sellerId).execute()
    return rows.length
  }
  expect(await written()).toBe(0)
  await numberAllEvents(sandbox.db)
  expect(await written()).toBe(0)
  const afterAnother = () => enqueuePaymentMails(sandbox).then(written)
  await expect.poll(afterAnother).toBe(100)
  expect(await afterAnother()).toBe(100)
  for (let turn = 0; turn < 3; turn += 1) await mailsOf(sellerId)
  expect(await written()).toBe(110)
})

test("an unmatched payment sends no mail", async () => {
  const sellerId = await createSeller(sandbox)
  const { txid } = await openCharge(sellerId)
  await bookPayments(sandbox, [receiptOf(txid, 9_999), receiptOf("a".repeat(32), 10_000)])
  expect(await mailsOf(sellerId)).toEqual([])
})

test("with the setting off no mail is written, with it on again the next payment is mailed", async () => {
  const sellerId = await createSeller(sandbox)
  const setNotify = (value: boolean) =>
    sandbox.db
      .insertInto("settings")
      .values({
        key: "NOTIFY_SELLER_ON_PAYMENT",
        value: JSON.stringify(value),
        type: "boolean",
        category: "notifications",
        description: "",
        is_public: false,
      })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: JSON.stringify(value) }))
      .execute()
  await setNotify(false)
  await bookPayments(sandbox, [receiptOf((await openCharge(sellerId)).txid, 10_000)])
  expect(await mailsOf(sellerId)).toEqual([])
  await setNotify(true)
  await bookPayments(sandbox, [receiptOf((await openCharge(sellerId)).txid, 10_000)])
  expect(await mailsOf(sellerId)).toHaveLength(1)
})

const payer = { name: "Bruno Lima", cpf: "52998224725", phone: "11987654321" }
const payersMails = (email: string) => deliverMails(sandbox, email)

async function openPayersCharge(sellerId: string, email: string, name = payer.name) {
  const page = await createPage(sandbox, { sellerId, allowAnonymous: false, maxPayments: null })
  const charge = await createCharge(sandbox, {
    pageId: page.id,
    customerInfo: { ...payer, name, email },
    idempotencyKey: null,
  })
  return { ...charge, receipt: receiptOf(charge.txid, 10_000) }
}

test("a payer who gave an address gets the receipt once, however often and by whomever the payment is told", async () => {
  const { id, receipt } = await openPayersCharge(await createSeller(sandbox), "bruno@cliente.example")
  await Promise.all(Array.from({ length: 5 }, () => bookPayments(sandbox, [receipt, receipt])))
  await Promise.all([payersMails("bruno@cliente.example"), payersMails("bruno@cliente.example")])
  await Promise.all([enqueuePaymentMails(sandbox), enqueuePaymentMails(sandbox)])
  const [mail, ...rest] = await payersMails("bruno@cliente.example")
  expect(rest).toEqual([])
  expect(mail).toMatchObject({ subject: "Comprovante de R$ 100,00" })
  expect(mail?.text).toContain("Olá, Bruno Lima.")
  expect(mail?.text).toContain(`Quem recebeu: Ana Souza\n`)
  expect(mail?.text).toContain(
    `http://localhost:3000/payment/success?transactionId=${id}&k=${sandbox.payerTokens.of(id)}`,
  )
  expect(mail?.text).not.toMatch(/52998224725|982\.247|11987654321/)
  const row = sandbox.db.selectFrom("mails").select(["to_address", "content"]).where("dedupe_key", "=", `receipt:${id}`)
  expect(await row.execute()).toEqual([{ to_address: null, content: {} }])
})

test("a shop's payer gets the mail from the shop by way of the platform", async () => {
  const sellerId = await createSeller(sandbox)
  const shop = { name: "Doces da Ana", email: "oi@docesdaana.example" }
  await changeShop(sandbox, { id: sellerId, address: null }, shop)
  const { receipt } = await openPayersCharge(sellerId, "elisa@cliente.example")
  await bookPayments(sandbox, [receipt])
  await numberAllEvents(sandbox.db)
  await enqueuePaymentMails(sandbox)
  const sent: OutgoingMail[] = []
  const mailer: Mailer = {
    send: async (mails) => {
      sent.push(...mails)
      return mails.map(() => ({ isSent: true }))
    },
    stop: async () => undefined,
  }
  await sendMails({ ...sandbox, mailer, log: createLog("silent"), publicUrl: "http://localhost:3000" })
  const isToPayer = ({ to }: OutgoingMail) => to === "elisa@cliente.example"
  const mail = sent.find(isToPayer)
  expect(mail).toMatchObject({ from: { name: "Doces da Ana via Tilinta" }, replyTo: shop.email })
  expect(mail?.text).toContain("Quem recebeu: Doces da Ana\n")
  expect(new Set(sent.filter((each) => !isToPayer(each)).map(({ from }) => from.name))).toEqual(new Set(["Tilinta"]))
})

test("payers get theirs also from sellers who want no mails", async () => {
  const sellerId = await createSeller(sandbox)
  await sandbox.db.updateTable("users").set({ payment_mails: "none" }).where("id", "=", sellerId).execute()
  await bookPayments(sandbox, [(await openPayersCharge(sellerId, "carla@cliente.example")).receipt])
  expect(await payersMails("carla@cliente.example")).toHaveLength(1)
  expect(await mailsOf(sellerId)).toEqual([])
})

test("a receipt that waits to be mailed goes with the payer's data", async () => {
  const { id, receipt } = await openPayersCharge(await createSeller(sandbox), "davi@cliente.example")
  await bookPayments(sandbox, [receipt])
  await numberAllEvents(sandbox.db)
  await enqueuePaymentMails(sandbox)
  const waiting = sandbox.db.selectFrom("mails").select("to_address").where("dedupe_key", "=", `receipt:${id}`)
  expect(await waiting.execute()).toEqual([{ to_address: "davi@cliente.example" }])
  expect(await erasePayerData(sandbox, { chargeId: id, address: "203.0.113.9" })).toBe(true)
  expect(await waiting.execute()).toEqual([])
  expect(await payersMails("davi@cliente.example")).toEqual([])
})

test.each(["Prêmio: www.ladrao.example", "Clique em ladrao(.)com", "https://ladrao.example/x"])(
  "a payer by the name %s advertises no site: neither to the seller nor to an address that they typed",
  async (name) => {
    const sellerId = await createSeller(sandbox)
    const { receipt } = await openPayersCharge(sellerId, `${sellerId}@vitima.example`, name)
    await bookPayments(sandbox, [receipt])
    const [toSeller] = await mailsOf(sellerId)
    const [toPayer] = await payersMails(`${sellerId}@vitima.example`)
    expect(toSeller?.subject).toBe("Pagamento recebido: R$ 100,00")
    expect(toPayer?.subject).toBe("Comprovante de R$ 100,00")
    for (const mail of [toSeller, toPayer]) expect(`${mail?.text}${mail?.html}`).not.toMatch(/ladrao|Prêmio/)
  },
)
