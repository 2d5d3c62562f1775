import { expect, test } from "vitest"
import { type Progress, stepsOf } from "./steps.ts"

const nothing = { hasShop: false, chargePages: 0, hasShared: false, transactions: 0, payments: 0 }
const nextOf = (progress: Partial<Progress>) =>
  stepsOf({ ...nothing, ...progress }).find(({ state }) => state === "next")?.name

test("a new seller is led from the shop to the first payment", () => {
  expect(nextOf({})).toBe("shop")
  expect(nextOf({ hasShop: true })).toBe("charge")
  expect(nextOf({ hasShop: true, chargePages: 1 })).toBe("share")
  expect(nextOf({ hasShop: true, chargePages: 1, hasShared: true })).toBe("payment")
  expect(nextOf({ hasShop: true, chargePages: 1, hasShared: true, transactions: 1, payments: 1 })).toBeUndefined()
})

test("a charge without a shop goes on to sharing, and the shop isn't called done", () => {
  expect(nextOf({ chargePages: 1 })).toBe("share")
  expect(stepsOf({ ...nothing, chargePages: 1 })[0]).toEqual({ name: "shop", state: "ahead" })
})

test("a generated Pix shows that the link was shared, and without a charge there is nothing to share", () => {
  expect(nextOf({ hasShop: true, chargePages: 1, transactions: 1 })).toBe("payment")
  expect(nextOf({ hasShop: true, hasShared: true })).toBe("charge")
})
