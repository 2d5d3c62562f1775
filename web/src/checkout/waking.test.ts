import { expect, test } from "vitest"
import { inSteps } from "./waking.ts"

test("each step is done once and in its order, also when a step asks for the next one", () => {
  const done: string[] = []
  const wake = inSteps(
    () => {
      done.push("memory")
      wake(2)
    },
    () => done.push("page"),
  )
  wake(1)
  wake(1)
  wake(2)
  expect(done).toEqual(["memory", "page"])
})

test("who asks for the last step gets those before it", () => {
  const done: string[] = []
  const wake = inSteps(
    () => done.push("memory"),
    () => done.push("page"),
  )
  wake(2)
  wake(1)
  expect(done).toEqual(["memory", "page"])
})
