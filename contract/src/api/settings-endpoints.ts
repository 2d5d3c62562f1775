import * as z from "zod/mini"
import { defineEndpoint } from "./define-endpoint.ts"
import { success, text } from "./fields.ts"

export const getPublicSettingEndpoint = defineEndpoint({
  method: "GET",
  path: "/api/v1/public/settings/:key",
  audience: "public",
  tag: "Configurações",
  summary: "Uma configuração pública",
  params: z.object({ key: text(100) }),
  reply: {
    status: 200,
    schema: success(
      z.object({ setting: z.object({ key: z.string(), value: z.union([z.number(), z.string(), z.boolean()]) }) }),
    ),
  },
})
