import * as heads from "@tilinta/contract/heads"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { call } from "./client.ts"
import { forgetToken, onTokenRefused, storeToken } from "./session-token.ts"
import { onEnrolmentRequired, onStepUpQuestion, stepUpQuestion } from "./step-up.ts"

let hush: () => void
let ended = 0
let enrolments = 0
onTokenRefused(() => (ended += 1))
onEnrolmentRequired(() => (enrolments += 1))

beforeEach(() => {
  storeToken("a-token")
  hush = onStepUpQuestion(() => undefined)
  ended = 0
  enrolments = 0
})

afterEach(() => {
  hush()
  forgetToken()
  vi.unstubAllGlobals()
})

/** The answers of the server, one call after the other; the last one repeats. */
function answerWith(...answers: [status: number, body: object][]) {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(() => {
    const [status, body] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500, {}]
    return Promise.resolve(Response.json(body, { status }))
  })
  vi.stubGlobal("fetch", fetch)
  return fetch
}

const refused: [number, object] = [
  403,
  {
    status: "fail",
    code: "step_up_required",
    message: "Confirme que é você.",
    data: { methods: ["password", "totp"] },
  },
]
const done: [number, object] = [200, { status: "success", results: 7 }]

test("a refused call waits for the answer, and is sent again as it was", async () => {
  const fetch = answerWith(refused, done)
  const reply = call(heads.listChargePages, { headers: { "Idempotency-Key": "uma-vez" } })
  await expect.poll(stepUpQuestion).not.toBeNull()
  expect(stepUpQuestion()?.methods).toEqual(["password", "totp"])
  expect(fetch).toHaveBeenCalledTimes(1)
  stepUpQuestion()?.answer(true)
  expect((await reply).results).toBe(7)
  expect(fetch.mock.calls[1]).toEqual(fetch.mock.calls[0])
  expect(stepUpQuestion()).toBeNull()
})

test("calls that are refused at the same time share one question", async () => {
  answerWith(refused, refused, done)
  const replies = Promise.all([call(heads.listChargePages), call(heads.listChargePages)])
  await expect.poll(stepUpQuestion).not.toBeNull()
  const question = stepUpQuestion()
  question?.answer(true)
  expect((await replies).map(({ results }) => results)).toEqual([7, 7])
})

test("whoever would rather not gets the refusal, and so does a call that is refused again", async () => {
  const fetch = answerWith(refused)
  for (const [answer, calls] of [
    [false, 1],
    [true, 3],
  ] as const) {
    const outcome = call(heads.listChargePages).catch((error: unknown) => error)
    await expect.poll(stepUpQuestion).not.toBeNull()
    stepUpQuestion()?.answer(answer)
    expect(await outcome).toMatchObject({ code: "step_up_required", message: "Confirme que é você." })
    expect(fetch).toHaveBeenCalledTimes(calls)
  }
})

test("where no dialog listens the call fails at once", async () => {
  hush()
  answerWith(refused)
  await expect(call(heads.listChargePages)).rejects.toMatchObject({ code: "step_up_required" })
})

test("a wrong code ends no session; a session that is refused ends", async () => {
  answerWith([401, { code: "second_factor_invalid", message: "Código incorreto." }])
  await expect(call(heads.listChargePages)).rejects.toMatchObject({ code: "second_factor_invalid" })
  expect(ended).toBe(0)
  answerWith([401, { code: "unauthenticated", message: "Sessão expirada." }])
  await expect(call(heads.listChargePages)).rejects.toMatchObject({ code: "unauthenticated" })
  expect(ended).toBe(1)
})

test("an administrator without a factor is led to where one is enrolled", async () => {
  answerWith([403, { code: "second_factor_enrolment_required", message: "Ative um segundo fator." }])
  await expect(call(heads.listChargePages)).rejects.toMatchObject({ status: 403 })
  expect(enrolments).toBe(1)
})
