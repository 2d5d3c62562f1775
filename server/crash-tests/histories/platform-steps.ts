import { expect } from "vitest"
import { type Step, step } from "./step.ts"
import { callNow, restart } from "./world.ts"

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

/** `which`: the first node, the second, or all of them. */
export function restartNodes(which: number, signal: "SIGTERM" | "SIGKILL"): Step {
  return step(`${signal} to node ${which}`, async (_books, world) => {
    await world.gate.alone(async () => {
      const node = world.nodes[which]
      await restart(world, node === undefined ? world.nodes : [node], signal)
    })
  })
}
