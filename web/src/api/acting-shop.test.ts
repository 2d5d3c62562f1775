import type { UserView } from "@tilinta/contract/users"
import { beforeEach, expect, test, vi } from "vitest"
import { actForNamed, actingShopOf, shopHeaders, shopOf } from "./acting-shop.ts"

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})

const workingIn = (...shops: string[]) =>
  ({ _id: "bia", name: "Bia", shops: shops.map((_id) => ({ _id, name: _id, role: "cashier" })) }) as unknown as UserView

test("a tab that nobody chose a shop in names the one that it shows, also once that shop has ended", () => {
  expect(actingShopOf(workingIn("padaria", "feira"))._id).toBe("padaria")
  expect(shopHeaders()).toEqual({ "X-Shop": "padaria" })
  // The tab begins anew before it acts for another.
  expect(shopOf(workingIn("feira"))._id).toBe("feira")
  expect(shopHeaders()).toEqual({ "X-Shop": "padaria" })
  expect(actingShopOf(workingIn("feira"))._id).toBe("feira")
  expect(shopHeaders()).toEqual({ "X-Shop": "feira" })
})

test("a tab that acts for oneself names oneself, as a shop that one joins elsewhere may come first", () => {
  expect(actingShopOf(workingIn())).toEqual({ _id: "bia", name: "Bia", role: "owner" })
  expect(shopHeaders()).toEqual({ "X-Shop": "bia" })
})

test("a shop that an address names, without a place in it, is replaced by the first", () => {
  actForNamed("?shop=outra")
  expect(actingShopOf(workingIn("padaria"))._id).toBe("padaria")
  expect(shopHeaders()).toEqual({ "X-Shop": "padaria" })
})
