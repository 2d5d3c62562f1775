import { expect } from "vitest"
import { password } from "../shop.ts"
import type { SellerBooks } from "./seller-books.ts"
import { type Step, step } from "./step.ts"
import { call, callAsAdmin, type World } from "./world.ts"

/** Pending work goes on meanwhile; nothing new begins, and open codes end. */
export function inactivateForAWhile(): Step {
  return step("inactivate the seller for a while", async (books, world) => {
    await setActive(world, books, false)
    for (const code of books.codes) if (code.state === "open") code.state = "ended"
    expect(await call(world, "GET", "/users/me", { token: books.token })).toMatchObject({ status: 401 })
    await expectNoCode(world, books)
    await expectNoApproval(world, books)
    await setActive(world, books, true)
    const { email } = books
    const answer = await call(world, "POST", "/auth/login", { body: { email, password } })
    expect(answer).toMatchObject({ status: 200 })
    books.token = String(answer.body["token"])
  })
}

async function setActive(world: World, { sellerId }: SellerBooks, active: boolean): Promise<void> {
  expect(await callAsAdmin(world, "PATCH", `/admin/users/${sellerId}`, { active })).toMatchObject({ status: 200 })
}

async function expectNoCode(world: World, { pages }: SellerBooks): Promise<void> {
  const page = pages.find(({ state }) => state === "active")
  if (page === undefined) return
  const body = { checkoutPageId: page.id }
  expect(await call(world, "POST", "/checkout/process-modern-pix-payment", { body })).toMatchObject({ status: 404 })
}

async function expectNoApproval(world: World, { withdrawals }: SellerBooks): Promise<void> {
  const pending = withdrawals.find(({ state }) => state === "pending")
  if (pending === undefined) return
  const path = `/admin/withdrawals/${pending.id}/approve`
  expect(await callAsAdmin(world, "PATCH", path, {})).toMatchObject({ status: 409 })
}
