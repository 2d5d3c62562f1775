import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import {
  id,
  isoDateTime,
  malformed,
  optionalLine,
  personReference,
  reais,
  requiredLines,
  success,
  text,
  wholeNumberQuery,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { correctionDirections, manualEntryKinds } from "./vocabulary/books.ts"

const amountRequired = "Informe um valor maior que zero."

const createManualEntryBody = z
  .object({
    kind: z.enum(manualEntryKinds, "Escolha own_payout, bank_tariff, capital_in, yield ou correction."),
    amount: reais(amountRequired).check(z.refine((value) => value > 0, amountRequired)),
    /** The seller whose balance a correction moves. */
    sellerId: z.nullish(text(200)),
    /** The way in which a correction moves it. */
    direction: z.nullish(z.enum(correctionDirections, "Escolha credit ou debit.")),
    reason: requiredLines(500, "Escreva o motivo."),
    /** Evidence: the transfer's endToEndId, or the bank's own reference. */
    reference: z.nullish(optionalLine(100)),
    /** The booked event that it reverses: an endToEndId, or the id of a transaction, withdrawal, refund, dispute or entry. */
    reverses: z.nullish(optionalLine(100)),
  })
  .check(({ value, issues }) => {
    const refuse = (path: string, message: string) =>
      issues.push({ code: "custom", path: [path], message, input: value })
    const isCorrection = value.kind === "correction"
    if (isCorrection && !value.sellerId) refuse("sellerId", "Informe o vendedor.")
    if (isCorrection && !value.direction) refuse("direction", "Diga se o saldo recebe (credit) ou perde (debit).")
    if (!isCorrection && (value.sellerId || value.direction))
      refuse("sellerId", "Só uma correção tem vendedor e direção.")
  })

export const manualEntryView = z.object({
  _id: id,
  kind: z.enum(manualEntryKinds),
  direction: z.nullable(z.enum(correctionDirections)),
  amount: z.number(),
  seller: z.nullable(personReference),
  reason: z.string(),
  reference: z.nullable(z.string()),
  reverses: z.nullable(z.string()),
  createdBy: personReference,
  createdAt: isoDateTime,
  /** The second administrator; null while it waits, and where there was only one. */
  approvedBy: z.nullable(personReference),
  /** When it was booked; null while it waits. */
  bookedAt: z.nullable(isoDateTime),
  /** The author who withdrew it while it waited, or another administrator who refused it. */
  refusedBy: z.nullable(personReference),
  refusedAt: z.nullable(isoDateTime),
  /** Booked by its author, because there was no other administrator. */
  alone: z.boolean(),
})
export type ManualEntryView = z.infer<typeof manualEntryView>

const tag = "Administração: contas"

export const listManualEntriesEndpoint = defineEndpoint("listManualEntries", heads.listManualEntries, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "Os lançamentos feitos por pessoas, dos mais novos aos mais antigos",
  query: z.object({
    after: z.optional(
      z
        .string("Parâmetro inválido.")
        .check(z.refine((value) => /^[0-9a-f-]{36}$/.test(value), { error: "Parâmetro inválido.", params: malformed })),
    ),
    limit: wholeNumberQuery(50, 200),
  }),
  reply: { status: 200, schema: success(z.object({ entries: z.array(manualEntryView), next: z.nullable(id) })) },
})

export const createManualEntryEndpoint = defineEndpoint("createManualEntry", heads.createManualEntry, {
  audience: "admin",
  stepUp: "always",
  isIdempotent: true,
  tag,
  summary:
    "Lança o que o banco não conta sozinho: retirada das taxas, tarifa, aporte, rendimento ou correção. Havendo outro administrador, só vale depois que ele aprova",
  body: createManualEntryBody,
  reply: { status: 201, schema: success(z.object({ entry: manualEntryView })) },
})

export const approveManualEntryEndpoint = defineEndpoint("approveManualEntry", heads.approveManualEntry, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "Aprova e lança o que outro administrador propôs",
  params: z.object({ id: text(200) }),
  reply: { status: 200, schema: success(z.object({ entry: manualEntryView })) },
})

export const refuseManualEntryEndpoint = defineEndpoint("refuseManualEntry", heads.refuseManualEntry, {
  audience: "admin",
  tag,
  summary: "Recusa o que outro administrador propôs, ou retira o que se propôs: nada é lançado",
  params: z.object({ id: text(200) }),
  reply: { status: 200, schema: success(z.object({ entry: manualEntryView })) },
})

const entry = {
  _id: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e2f",
  kind: "bank_tariff",
  direction: null,
  amount: 0.5,
  seller: null,
  reason: "Tarifas de novembro",
  reference: "EXT-2026-11",
  reverses: null,
  createdBy: { _id: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e30", name: "Bruno Lima" },
  createdAt: "2026-11-23T12:00:00.000Z",
  approvedBy: null,
  bookedAt: null,
  refusedBy: null,
  refusedAt: null,
  alone: false,
} as const

export const manualEntriesExamples = [
  defineExample(listManualEntriesEndpoint, { query: {}, data: { entries: [entry], next: null }, failures: [] }),
  defineExample(createManualEntryEndpoint, {
    body: { kind: "bank_tariff", amount: 0.5, reason: "Tarifas de novembro", reference: "EXT-2026-11" },
    data: { entry },
    failures: [
      "own_payout_above_fees",
      "insufficient_balance",
      "event_corrected",
      "no_third_administrator",
      "idempotency_key_reused",
    ],
  }),
  defineExample(approveManualEntryEndpoint, {
    params: { id: entry._id },
    data: {
      entry: {
        ...entry,
        approvedBy: { _id: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e31", name: "Carla Dias" },
        bookedAt: "2026-11-23T12:30:00.000Z",
      },
    },
    failures: [
      "not_found",
      "second_approver_needed",
      "manual_entry_booked",
      "manual_entry_refused",
      "manual_entry_orphaned",
      "order_not_authentic",
    ],
  }),
  defineExample(refuseManualEntryEndpoint, {
    params: { id: entry._id },
    data: {
      entry: {
        ...entry,
        refusedBy: { _id: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e31", name: "Carla Dias" },
        refusedAt: "2026-11-23T12:30:00.000Z",
      },
    },
    failures: ["not_found", "manual_entry_booked"],
  }),
]
