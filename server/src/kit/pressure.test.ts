import { expect, test } from "vitest"
import { createPressureGauge } from "./pressure.ts"

function openGauge() {
  let [delay, waiting] = [0, 0]
  const gauge = createPressureGauge([
    { name: "delay", read: () => delay, busyFrom: 80, extremeFrom: 400 },
    { name: "waiting", read: () => waiting, busyFrom: 100, extremeFrom: 400 },
  ])
  return (looks: number, figures: { delay?: number; waiting?: number }) => {
    delay = figures.delay ?? 0
    waiting = figures.waiting ?? 0
    return Array.from({ length: looks }, () => gauge.look().level).at(-1)
  }
}

test("a few long pauses are no pressure, four in a row are, and the worse source decides", () => {
  const look = openGauge()
  expect(look(3, { delay: 900 })).toBe("calm")
  expect(look(1, {})).toBe("calm")
  expect(look(3, { delay: 900 })).toBe("calm")
  expect(look(1, { delay: 90 })).toBe("busy")
  expect(look(4, { delay: 90, waiting: 400 })).toBe("extreme")
})

test("a level is left after four looks in a row that are well below it", () => {
  const look = openGauge()
  expect(look(4, { waiting: 100 })).toBe("busy")
  expect(look(20, { waiting: 60 })).toBe("busy")
  expect(look(3, { waiting: 49 })).toBe("busy")
  expect(look(1, { waiting: 60 })).toBe("busy")
  expect(look(3, { waiting: 49 })).toBe("busy")
  expect(look(1, { waiting: 49 })).toBe("calm")
})

test("what was extreme becomes busy before it is calm", () => {
  const look = openGauge()
  expect(look(4, { delay: 400 })).toBe("extreme")
  expect(look(9, { delay: 200 })).toBe("extreme")
  expect(look(4, { delay: 199 })).toBe("busy")
  expect(look(4, { delay: 0 })).toBe("calm")
})

test("the reasons are those that press", () => {
  const gauge = createPressureGauge([
    { name: "delay", read: () => 500, busyFrom: 80, extremeFrom: 400 },
    { name: "waiting", read: () => 5, busyFrom: 100, extremeFrom: 400 },
  ])
  for (let look = 1; look < 4; look += 1) gauge.look()
  expect(gauge.look()).toEqual({ level: "extreme", reasons: ["delay"] })
})
