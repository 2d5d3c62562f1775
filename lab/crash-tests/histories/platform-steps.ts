import { expect } from "vitest"
import { type Step, step } from "./step.ts"
import { callNow, count, queryThroughKills, type ReserveRules, restart, type World } from "./world.ts"

/** Runs alone, so that the fee rate of every code is known. */
export function setFee(basisPoints: number): Step {
  return step(`set the fee to ${basisPoints} basis points`, (_books, world) => changeFee(world, basisPoints))
}

export async function changeFee(world: World, basisPoints: number): Promise<void> {
  await world.gate.alone(async () => {
    await save(world, "TRANSACTION_FEE_PERCENTAGE", basisPoints / 100)
    world.feeBasisPoints = basisPoints
  })
}

async function save(world: World, key: string, value: number): Promise<void> {
  const answer = await callNow(world, "PATCH", `/settings/${key}`, { body: { value }, token: world.adminToken })
  expect(answer).toMatchObject({ status: 200 })
}

export function setReserve(rules: ReserveRules): Step {
  return step(`hold by ${JSON.stringify(rules)}`, (_books, world) => changeReserve(world, rules))
}

/** While nobody's sale waits to be held whose rules must be known. */
export async function changeReserve(world: World, rules: ReserveRules): Promise<void> {
  await world.rulesGate.alone(async () => {
    await world.gate.alone(async () => {
      world.ruleChanges += 1
      await save(world, "SETTLEMENT_DAYS", rules.settlementDays)
      await save(world, "RESERVE_DAYS", rules.reserveDays)
      await save(world, "RESERVE_PERCENT", rules.reservePercent)
      world.ruleChanges += 1
      world.reserve = rules
      count(world, "reserve rules changed")
    })
  })
}

export function haveSecondAdministrator(isActive: boolean): Step {
  return step(isActive ? "two administrators" : "one administrator", (_books, world) => changeSecond(world, isActive))
}

/** The second one comes and goes, while nobody is in the middle of what needs two. */
export async function changeSecond(world: World, isActive: boolean): Promise<void> {
  const { rulesGate, second } = world
  await rulesGate.alone(async () => {
    await queryThroughKills(world, "update users set active = $1 where id = $2", [isActive, second.id])
    second.isActive = isActive
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
