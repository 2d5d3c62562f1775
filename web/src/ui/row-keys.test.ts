import { expect, test } from "vitest"
import { pick } from "./row-keys.tsx"

const ids = ["a", "b", "c", "d"]
const picked = (chosen: string[], id: string, from: string | null = null) =>
  [...pick(new Set(chosen), { ids, id, from })].toSorted()

test("one is picked, and picked again it is let go", () => {
  expect(picked([], "b")).toEqual(["b"])
  expect(picked(["a", "b"], "b")).toEqual(["a"])
})

test("a range goes both ways and does to all what is done to the last one", () => {
  expect(picked(["a"], "c", "a")).toEqual(["a", "b", "c"])
  expect(picked(["d"], "b", "d")).toEqual(["b", "c", "d"])
  expect(picked(ids, "a", "c")).toEqual(["d"])
  expect(picked([], "b", "gone")).toEqual(["b"])
})
