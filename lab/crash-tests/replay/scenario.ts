import { readdirSync, readFileSync } from "node:fs"
import * as z from "zod/mini"

const name = z.string().check(z.regex(/^[a-z][a-z0-9]*$/))
const cents = z.int().check(z.minimum(1))

/** Conditions to wait for, and the expected end: each named thing by its canonical status. */
const seen = z.strictObject({
  codes: z.optional(z.record(name, z.string())),
  refunds: z.optional(z.record(name, z.string())),
  withdrawals: z.optional(z.record(name, z.string())),
  /** Review reasons of receipts, in alphabetical order. */
  unmatchedPayments: z.optional(z.array(z.string())),
  availableCents: z.optional(z.int()),
})

const step = z.discriminatedUnion("do", [
  /** A fault at the bank, limited to this scenario's page or payee unless it says otherwise. */
  z.looseObject({
    do: z.literal("fault"),
    tipo: z.string(),
    about: z.prefault(z.enum(["page", "payee", "everybody"]), "page"),
  }),
  z.strictObject({ do: z.literal("well") }),
  z.strictObject({ do: z.literal("ask"), code: name, refused: z.prefault(z.boolean(), false) }),
  z.strictObject({ do: z.literal("pay"), code: name, refused: z.prefault(z.boolean(), false) }),
  /** A payment outside a code: of another amount for a code, or for nothing. */
  z.strictObject({ do: z.literal("stray"), cents, code: z.optional(name) }),
  z.strictObject({ do: z.literal("forge"), code: name, cents }),
  z.strictObject({ do: z.literal("expire"), code: name }),
  z.strictObject({ do: z.literal("cancel") }),
  z.strictObject({ do: z.literal("refund"), refund: name, code: name, cents }),
  z.strictObject({ do: z.literal("withdraw"), withdrawal: name, cents }),
  /** The bank settles an outcome that it left open. */
  z.strictObject({
    do: z.literal("decide"),
    refund: z.optional(name),
    withdrawal: z.optional(name),
    refused: z.prefault(z.boolean(), false),
  }),
  /** The payer disputes the code's payment; the banks decide. */
  z.strictObject({ do: z.literal("contest"), code: name }),
  z.strictObject({ do: z.literal("judge"), code: name, accepted: z.boolean() }),
  z.strictObject({ do: z.literal("clock"), forwardMs: z.int() }),
  z.strictObject({ do: z.literal("wait"), until: seen }),
  /** The point at which the server is killed, in runs with kills; once in each scenario. */
  z.strictObject({ do: z.literal("kill") }),
])

const scenario = z.strictObject({
  name: z.string(),
  /** True when it changes shared state, such as the bank's clock. */
  alone: z.prefault(z.boolean(), false),
  steps: z.array(step),
  expected: seen,
})

export type Step = z.output<typeof step>
export type Seen = z.output<typeof seen>
export type Scenario = z.output<typeof scenario>

const folder = new URL("../scenarios/", import.meta.url)

export function readScenarios(): Scenario[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .map(readScenario)
}

function readScenario(file: string): Scenario {
  const read = scenario.safeParse(JSON.parse(readFileSync(new URL(file, folder), "utf8")))
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`)
  if (read.data.steps.filter((each) => each.do === "kill").length !== 1) throw new Error(`${file}: no single kill`)
  return read.data
}
