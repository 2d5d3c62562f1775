import { expect, test } from "vitest"
import { createSubmissions } from "./idempotency-key.ts"

function counted() {
  let made = 0
  return createSubmissions(() => `key-${++made}`)
}

test("the same filled form keeps its key and its moment", () => {
  const submit = counted()
  const first = submit({ title: "A" })
  expect(submit({ title: "A" })).toBe(first)
})

test("a changed form gets another key", () => {
  const submit = counted()
  expect(submit({ title: "A" }).key).not.toBe(submit({ title: "B" }).key)
})

test("keys of two forms differ even for the same content", () => {
  expect(createSubmissions()({}).key).not.toBe(createSubmissions()({}).key)
})
