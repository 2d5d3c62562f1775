import { expect } from "vitest"
import { type Step, step } from "./step.ts"
import { callAsAdmin, callNow, restart, type World } from "./world.ts"

/** Runs alone, so that the fee rate of every code is known. */
export function setFee(basisPoints: number): Step {
  return step(`set the fee to ${basisPoints} basis points`, async (_books, world) => {
    await world.gate.alone(async () => {
      const answer = await callNow(world, "PATCH", "/settings/TRANSACTION_FEE_PERCENTAGE", {
        body: { value: basisPoints / 100 },
        token: world.adminToken,
      })
      expect(answer).toMatchObject({ status: 200 })
      world.feeBasisPoints = basisPoints
    })
  })
}

type EntryKind = "capital_in" | "bank_tariff" | "yield"

/** Entries of a person, because no list of the bank tells of such money. */
export function enterByHand(kind: EntryKind, amountCents: number): Step {
  return step(`enter ${amountCents} as ${kind}`, async (_books, world) => {
    const body = { kind, amount: amountCents / 100, reason: "Extrato do banco" }
    expect(await callAsAdmin(world, "POST", "/admin/journal", body)).toMatchObject({ status: 201 })
    note(world, kind, amountCents)
  })
}

function note({ totals }: World, kind: EntryKind, amountCents: number): void {
  if (kind === "capital_in") totals.capital += amountCents
  else totals.tariffs += kind === "yield" ? amountCents : -amountCents
}

/** `which`: the first node, the second, or all of them. */
export function restartNodes(which: number, signal: "SIGTERM" | "SIGKILL"): Step {
  return step(`${signal} to node ${which}`, async (_books, world) => {
    await world.gate.alone(async () => {
      const node = world.nodes[which]
      await restart(world, node === undefined ? world.nodes : [node], signal)
    })
  })
}
