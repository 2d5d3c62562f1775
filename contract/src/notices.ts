import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, partOfList, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { noticeTopics } from "./vocabulary/mails.ts"

const tag = "Avisos"

export const noticeView = z.object({
  _id: id,
  /** A word for the subject; new kinds may be added. */
  kind: z.string(),
  topic: z.enum(noticeTopics),
  /** A warning asks its reader to make sure that it was them. */
  tone: z.enum(["info", "warning"]),
  title: z.string(),
  text: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** The screen that shows more: a path of this installation. */
  action: z.object({ label: z.string(), path: z.string() }),
  /** Advice of this notice alone; empty without any. */
  note: z.string(),
  /** A notice whose subject goes on, as a withdrawal does, changes: its text, this moment, and it is unread again. */
  createdAt: isoDateTime,
  /** Null until it was read. */
  readAt: z.nullable(isoDateTime),
})
export type NoticeView = z.infer<typeof noticeView>

const { limit, after } = partOfList(20)

export const listMyNoticesEndpoint = defineEndpoint("listMyNotices", heads.listMyNotices, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  tag,
  summary: "O que aconteceu na conta, do mais novo ao mais antigo; `after` continua depois de um aviso",
  query: z.object({ limit, after, topic: z.optional(z.enum(noticeTopics, "Assunto desconhecido.")) }),
  reply: {
    status: 200,
    /** Unread notices are counted to 100 a topic at most, whatever the query's; `next` is the cursor of the next part, null at the end. */
    schema: success(
      z.object({
        notices: z.array(noticeView),
        unread: z.int(),
        unreadByTopic: z.object({ activity: z.int(), security: z.int() }),
        next: z.nullable(id),
      }),
    ),
  },
})

export const markMyNoticesReadEndpoint = defineEndpoint("markMyNoticesRead", heads.markMyNoticesRead, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  tag,
  summary: "Marca como lidos os avisos de `ids`, ou todos sem `ids`",
  body: z.object({ ids: z.nullish(z.array(text(200)).check(z.maxLength(1000, "Mande no máximo 1000 de uma vez."))) }),
  reply: { status: 204 },
})

export const noticesExamples = [
  defineExample(listMyNoticesEndpoint, {
    query: { limit: "20" },
    data: {
      notices: [
        {
          _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
          kind: "withdrawal_step",
          topic: "activity",
          tone: "info",
          title: "Saque solicitado: R$ 250,00",
          text: "Chave Pix •••4725, em 21/11/2026 às 11:30.",
          facts: [],
          action: { label: "Ver meus saques", path: "/withdrawals" },
          note: "",
          createdAt: "2026-11-21T14:30:00.000Z",
          readAt: null,
        },
      ],
      unread: 1,
      unreadByTopic: { activity: 1, security: 0 },
      next: null,
    },
    failures: [],
  }),
  defineExample(markMyNoticesReadEndpoint, { body: { ids: ["0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27"] }, failures: [] }),
]
