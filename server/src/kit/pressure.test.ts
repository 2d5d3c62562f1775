import { expect, test } from "vitest"
import { createPressureGauge } from "./pressure.ts"

function openGauge() {
  let [delay, waiting] = [0, 0]
  const gauge = createPressureGauge([
    { name: "delay", read: () => delay, busyFrom: 80, extremeFrom: 400 },
    { name: "waiting", read: () => waiting, busyFrom: 100, extremeFrom: 400 },
  ])
  return (readings: number, figures: { delay?: number; waiting?: number }) => {
    delay = figures.delay ?? 0
    waiting = figures.waiting ?? 0
    return Array.from({ length: readings }, () => gauge.update().level).at(-1)
  }
}

test("a few long pauses are no pressure, four in a row are, and the worse source decides", () => {
  const update = openGauge()
  expect(update(3, { delay: 900 })).toBe("calm")
  expect(update(1, {})).toBe("calm")
  expect(update(3, { delay: 900 })).toBe("calm")
  expect(update(1, { delay: 90 })).toBe("busy")
  expect(update(4, { delay: 90, waiting: 400 })).toBe("extreme")
})

test("a level is left after four readings in a row that are well below it", () => {
  const update = openGauge()
  expect(update(4, { waiting: 100 })).toBe("busy")
  expect(update(20, { waiting: 60 })).toBe("busy")
  expect(update(3, { waiting: 49 })).toBe("busy")
  expect(update(1, { waiting: 60 })).toBe("busy")
  expect(update(3, { waiting: 49 })).toBe("busy")
  expect(update(1, { waiting: 49 })).toBe("calm")
})

test("what was extreme becomes busy before it is calm", () => {
  const update = openGauge()
  expect(update(4, { delay: 400 })).toBe("extreme")
  expect(update(9, { delay: 200 })).toBe("extreme")
  expect(update(4, { delay: 199 })).toBe("busy")
  expect(update(4, { delay: 0 })).toBe("calm")
})

test("the reasons are those that press", () => {
  const gauge = createPressureGauge([
    { name: "delay", read: () => 500, busyFrom: 80, extremeFrom: 400 },
    { name: "waiting", read: () => 5, busyFrom: 100, extremeFrom: 400 },
  ])
  for (let reading = 1; reading < 4; reading += 1) gauge.update()
  expect(gauge.update()).toEqual({ level: "extreme", reasons: ["delay"] })
})
