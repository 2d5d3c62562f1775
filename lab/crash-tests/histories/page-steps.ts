import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import { expectStatus } from "../shop.ts"
import { untilAtRest } from "./agreement.ts"
import { type Code, feeOf, isFull, isPaidUnseen, type Page, type SellerBooks } from "./seller-books.ts"
import { pickFrom, type Step, step } from "./step.ts"
import { call, callNow, type World } from "./world.ts"

export type Ending = "cancel" | "delete"

export function createPage(amountCents: number, takesMany: boolean): Step {
  return step(`create a page of ${amountCents}${takesMany ? " for many" : ""}`, async (books, world) => {
    await newPage(world, books, { amountCents, takesMany })
  })
}

async function newPage(
  world: World,
  books: SellerBooks,
  { amountCents, takesMany }: { amountCents: number; takesMany: boolean },
): Promise<Page> {
  const { token } = books
  const body = {
    title: "Mentoria de Vendas",
    slug: "mentoria-de-vendas",
    amount: amountCents / 100,
    maxPayments: takesMany ? null : 1,
    pixConfig: { allowAnonymous: true, expiresInHours: 0 },
  }
  const answer = await call(world, "POST", "/checkout/pages", { body, token })
  expect(answer).toMatchObject({ status: 201 })
  const { checkoutPage } = answer.body["data"] as { checkoutPage: { _id: string } }
  const page: Page = { id: checkoutPage._id, amountCents, takesMany, state: "active" }
  books.pages.push(page)
  return page
}

/** Waits when something under way could complete the page, because its order against the next step is undecided. */
export async function settlePage(world: World, books: SellerBooks, page: Page): Promise<void> {
  if (!page.takesMany && isPaidUnseen(books, page)) await untilAtRest(world, books)
}

export function editPage(pick: number, amountCents: number): Step {
  return step(`edit page ${pick} to ${amountCents}`, async (books, world) => {
    const page = pickFrom(books.pages, pick)
    if (page === undefined) return
    await settlePage(world, books, page)
    const { token } = books
    const answer = await call(world, "PATCH", `/checkout/pages/${page.id}`, {
      body: { amount: amountCents / 100 },
      token,
    })
    const expected = page.state === "deleted" ? 404 : page.state === "cancelled" || isFull(books, page) ? 409 : 200
    expect(answer).toMatchObject({ status: expected })
    if (expected !== 200 || amountCents === page.amountCents) return
    page.amountCents = amountCents
    endCodes(books, page)
  })
}

export function closePage(pick: number, how: Ending): Step {
  return step(`${how} page ${pick}`, async (books, world) => {
    const page = pickFrom(books.pages, pick)
    if (page === undefined) return
    await settlePage(world, books, page)
    const { status } = await askToClose(world, books, page, how)
    expect(status).toBe(statusOfClosing(books, page, how))
    if (status < 300) endPage(books, page, how)
  })
}

export function askToClose(world: World, { token }: SellerBooks, page: Page, how: Ending) {
  return how === "delete"
    ? call(world, "DELETE", `/checkout/pages/${page.id}`, { token })
    : call(world, "PATCH", `/checkout/pages/${page.id}/cancel`, { token })
}

function statusOfClosing(books: SellerBooks, page: Page, how: Ending): number {
  if (page.state === "deleted") return 404
  if (how === "delete") return 204
  return page.state === "cancelled" || isFull(books, page) ? 409 : 200
}

export function endPage(books: SellerBooks, page: Page, how: Ending): void {
  page.state = how === "delete" ? "deleted" : "cancelled"
  endCodes(books, page)
}

function endCodes({ codes }: SellerBooks, page: Page): void {
  for (const code of codes) if (code.page === page && code.state === "open") code.state = "ended"
}

export function askForPix(pick: number): Step {
  return step(`ask for a Pix on page ${pick}`, async (books, world) => {
    await newCode(world, books, pick)
  })
}

export type OpenCode = Code & { page: Page; pixCode: string }

export function isShown(code: Code): code is OpenCode {
  return code.page !== null && code.pixCode !== null
}

/** Picks an open code, or makes one on a new page. */
export async function openCode(world: World, books: SellerBooks, pick: number): Promise<OpenCode> {
  const shown = books.codes.filter(isShown)
  const open = pickFrom(
    shown.filter(({ state, page }) => state === "open" && !isFull(books, page)),
    pick,
  )
  if (open !== undefined) return open
  await newPage(world, books, { amountCents: 100 + pick, takesMany: pick % 2 === 0 })
  const code = await newCode(world, books, books.pages.length - 1)
  if (code === null) throw new Error("a new page gave no code")
  return code
}

export async function newPageWithCode(world: World, books: SellerBooks, amountCents: number): Promise<OpenCode> {
  const page = await newPage(world, books, { amountCents, takesMany: true })
  const code = await newCode(world, books, books.pages.indexOf(page))
  if (code === null) throw new Error("a new page gave no code")
  return code
}

async function newCode(world: World, books: SellerBooks, pick: number): Promise<OpenCode | null> {
  const page = pickFrom(books.pages, pick)
  if (page === undefined) return null
  await settlePage(world, books, page)
  const { answer, feeBasisPoints } = await world.gate.together(async () => ({
    feeBasisPoints: world.feeBasisPoints,
    answer: await callNow(world, "POST", "/checkout/process-modern-pix-payment", {
      body: { checkoutPageId: page.id },
      key: randomUUID(),
    }),
  }))
  const expected = page.state !== "active" ? 404 : isFull(books, page) ? 409 : 201
  const { data } = expectStatus(answer, expected)
  if (expected !== 201) return null
  const { transactionId, pixCode } = data as { transactionId: string; pixCode: string }
  const feeCents = feeOf(page.amountCents, feeBasisPoints)
  const code: OpenCode = {
    id: transactionId,
    pixCode,
    page,
    amountCents: page.amountCents,
    feeBasisPoints,
    feeCents,
    state: "open",
    endToEndId: null,
    refunds: [],
    takenCents: 0,
    takenSeenCents: 0,
    isSeen: false,
    backSeenCents: 0,
  }
  books.codes.push(code)
  return code
}
