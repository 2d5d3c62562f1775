import { expect, onTestFinished, test } from "vitest"
import { temporaryDir } from "../test-support/test-bank.ts"
import { openBooks } from "./books.ts"
import { openSettingsBook } from "./payout-books.ts"

test("writes that share a commit fail one by one: the others stand", async () => {
  const dataDir = temporaryDir()
  const books = openBooks(dataDir)
  const settings = openSettingsBook(books.db)

  const outcomes = await Promise.allSettled([
    books.write(() => settings.store("antes", "1")),
    books.write(() => {
      settings.store("errado", "1")
      throw new Error("recusado")
    }),
    books.write(() => settings.store("depois", "1")),
  ])
  books.close()

  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  const reopened = openBooks(dataDir)
  onTestFinished(() => reopened.close())
  const kept = openSettingsBook(reopened.db)
  expect([kept.find("antes"), kept.find("errado"), kept.find("depois")]).toEqual(["1", undefined, "1"])
})

test("two simulators cannot keep the same books", () => {
  const dataDir = temporaryDir()
  const books = openBooks(dataDir)
  onTestFinished(() => books.close())
  expect(() => openBooks(dataDir)).toThrow("outro simulador")
})

test("a write that was asked for before the close is in the books", async () => {
  const dataDir = temporaryDir()
  const books = openBooks(dataDir)
  const settings = openSettingsBook(books.db)
  const write = books.write(() => settings.store("tarde", "1"))
  books.close()
  await write
  const reopened = openBooks(dataDir)
  onTestFinished(() => reopened.close())
  expect(openSettingsBook(reopened.db).find("tarde")).toBe("1")
})
