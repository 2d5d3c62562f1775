import { endMyOtherSessionsEndpoint, endMySessionEndpoint, listMySessionsEndpoint } from "../api/sessions-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const sessionsExamples = [
  defineExample(listMySessionsEndpoint, {
    reply: {
      status: "success",
      data: {
        sessions: [
          {
            _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
            createdAt: "2026-11-21T12:00:00.000Z",
            lastUsedAt: "2026-11-21T14:30:00.000Z",
            address: "203.0.113.7",
            lastAddress: "198.51.100.23",
            userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            current: true,
          },
        ],
      },
    },
    failures: [],
  }),
  defineExample(endMySessionEndpoint, {
    params: { id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    failures: ["session_not_found"],
  }),
  defineExample(endMyOtherSessionsEndpoint, { failures: [] }),
]
