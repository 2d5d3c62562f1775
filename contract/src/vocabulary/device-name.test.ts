import { expect, test } from "vitest"
import { deviceName } from "./people.ts"

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"

test("a device is described by its browser and system", () => {
  expect(deviceName(`${windows} Chrome/140.0.0.0 Safari/537.36`)).toBe("Chrome no Windows")
  expect(deviceName(`${windows} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`)).toBe("Edge no Windows")
  expect(deviceName("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe("Firefox no Linux")
  expect(
    deviceName(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    ),
  ).toBe("Safari no iPhone")
  expect(
    deviceName(
      "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    ),
  ).toBe("Chrome no Android")
})

test("an unrecognised device is called unknown", () => {
  expect(deviceName("curl/8.5.0")).toBe("Dispositivo desconhecido")
  expect(deviceName("")).toBe("Dispositivo desconhecido")
  expect(deviceName(null)).toBe("Dispositivo desconhecido")
})
