import { readdirSync, readFileSync } from "node:fs"
import * as z from "zod/mini"

const name = z.string().check(z.regex(/^[a-z][a-z0-9]*$/))
const cents = z.int().check(z.minimum(1))

/** What a scenario may wait for, and what must be true in the end: each named thing by its canonical status. */
const seen = z.strictObject({
  codes: z.optional(z.record(name, z.string())),
  refunds: z.optional(z.record(name, z.string())),
  withdrawals: z.optional(z.record(name, z.string())),
  /** Why an admin has to look at receipts, in alphabetical order. */
  reviews: z.optional(z.array(z.string())),
  availableCents: z.optional(z.int()),
})

const step = z.discriminatedUnion("do", [
  /** What goes wrong at the bank, for this scenario's page or payee alone unless it says otherwise. */
  z.looseObject({
    do: z.literal("fault"),
    tipo: z.string(),
    about: z.prefault(z.enum(["page", "payee", "everybody"]), "page"),
  }),
  z.strictObject({ do: z.literal("well") }),
  z.strictObject({ do: z.literal("ask"), code: name, refused: z.prefault(z.boolean(), false) }),
  z.strictObject({ do: z.literal("pay"), code: name, refused: z.prefault(z.boolean(), false) }),
  /** Money that comes without a code being paid: of another amount, for a code or for nothing. */
  z.strictObject({ do: z.literal("stray"), cents, code: z.optional(name) }),
  z.strictObject({ do: z.literal("forge"), code: name, cents }),
  z.strictObject({ do: z.literal("expire"), code: name }),
  z.strictObject({ do: z.literal("cancel") }),
  z.strictObject({ do: z.literal("refund"), refund: name, code: name, cents }),
  z.strictObject({ do: z.literal("withdraw"), withdrawal: name, cents }),
  /** The bank decides what it left open. */
  z.strictObject({
    do: z.literal("decide"),
    refund: z.optional(name),
    withdrawal: z.optional(name),
    refused: z.prefault(z.boolean(), false),
  }),
  /** The payer contests what was paid for the code; the banks decide. */
  z.strictObject({ do: z.literal("contest"), code: name }),
  z.strictObject({ do: z.literal("judge"), code: name, accepted: z.boolean() }),
  z.strictObject({ do: z.literal("clock"), forwardMs: z.int() }),
  z.strictObject({ do: z.literal("wait"), until: seen }),
  /** Here the server is killed, where that is played; once in each scenario. */
  z.strictObject({ do: z.literal("kill") }),
])

const scenario = z.strictObject({
  name: z.string(),
  /** It moves what is everybody's, such as the bank's clock. */
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
