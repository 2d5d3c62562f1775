import * as z from "zod/mini"
import { pendingFields } from "./approvals.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { isoDateTime, malformed, optionalLines, readableLines, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { MOST_OF_SETTING, settingCategories, settingGroups, settingTypes } from "./vocabulary/system.ts"

const settingValue = z.union([z.number(), z.string(), z.boolean()])

export const getPublicSettingEndpoint = defineEndpoint("getPublicSetting", heads.getPublicSetting, {
  audience: "public",
  tag: "Configurações",
  summary: "Uma configuração pública",
  params: z.object({ key: text(100) }),
  reply: { status: 200, schema: success(z.object({ setting: z.object({ key: z.string(), value: settingValue }) })) },
})

export const settingView = z.object({
  _id: z.string(),
  key: z.string(),
  value: settingValue,
  description: z.string(),
  type: z.enum(settingTypes),
  category: z.enum(settingCategories),
  /** The heading under which the screen shows it. */
  group: z.enum(settingGroups),
  /** False where only strict protection heeds it, and protection is relaxed. */
  actsHere: z.boolean(),
  updatedAt: isoDateTime,
  updatedBy: z.nullable(z.object({ name: z.string(), email: z.string() })),
})
export type SettingView = z.infer<typeof settingView>

/** The setting as it is now, which is as before while another administrator must agree. */
export const changedSetting = z.object({ setting: settingView, ...pendingFields })

/** Which values a setting takes depends on its meaning, so the server's verb checks it. */
const valueSent = z.union(
  [z.number(), text(MOST_OF_SETTING).check(readableLines), z.boolean()],
  "Informe um número, um texto ou verdadeiro/falso.",
)
const typeSent = z.enum(settingTypes, "Tipo desconhecido.")
const categorySent = z.enum(settingCategories, "Categoria desconhecida.")

const keyPattern = /^[A-Z][A-Z0-9_]{0,99}$/

/** Normalised to upper case. */
const keySent = z.pipe(
  text(100).check(
    z.trim(),
    z.minLength(1, "A chave é obrigatória."),
    z.refine((key) => keyPattern.test(key.toUpperCase()), "Use letras, números e _ na chave, começando por uma letra."),
  ),
  z.transform((key) => key.toUpperCase()),
)

const settingParams = z.object({ key: text(100) })
const tag = "Configurações"

export const listSettingsEndpoint = defineEndpoint("listSettings", heads.listSettings, {
  audience: "admin",
  whileFrozen: true,
  tag,
  summary: "As configurações gravadas, por categoria e chave",
  reply: { status: 200, schema: success(z.object({ settings: z.array(settingView) })) },
})

export const createSettingEndpoint = defineEndpoint("createSetting", heads.createSetting, {
  audience: "admin",
  stepUp: "always",
  isIdempotent: true,
  mayWait: true,
  tag,
  summary: "Cria uma configuração",
  body: z.object({
    key: z.prefault(keySent, ""),
    value: valueSent,
    description: optionalLines(500),
    type: typeSent,
    category: categorySent,
  }),
  reply: { status: 201, schema: success(changedSetting) },
})

export const updateSettingEndpoint = defineEndpoint("updateSetting", heads.updateSetting, {
  audience: "admin",
  stepUp: "always",
  mayWait: true,
  tag,
  summary: "Altera uma configuração; vale a partir da próxima requisição",
  params: settingParams,
  body: z
    .object({
      value: z.optional(valueSent),
      description: z.optional(text(500).check(z.trim(), readableLines)),
      type: z.optional(typeSent),
      category: z.optional(categorySent),
    })
    .check(
      z.refine((body) => Object.values(body).some((field) => field !== undefined), {
        path: ["value"],
        error: "Informe o que deve mudar.",
        params: malformed,
      }),
    ),
  reply: { status: 200, schema: success(changedSetting) },
})

export const initializeSettingsEndpoint = defineEndpoint("initializeSettings", heads.initializeSettings, {
  audience: "admin",
  stepUp: "always",
  tag,
  summary: "Grava as configurações padrão que faltam; nunca muda as que já existem",
  reply: { status: 200, schema: success(z.object({ created: z.number(), updated: z.number() })) },
})

const setting: SettingView = {
  _id: "PLATFORM_NAME",
  key: "PLATFORM_NAME",
  value: "Tilinta",
  description: "Nome da plataforma, mostrado nas telas e nos e-mails",
  type: "string",
  category: "general",
  group: "general",
  actsHere: true,
  updatedAt: "2026-11-21T12:00:00.000Z",
  updatedBy: { name: "Ana Souza", email: "ana@loja.example" },
}

const ownSetting = {
  key: "WELCOME_TEXT",
  value: "Olá!",
  description: "Texto de boas-vindas",
  type: "string",
  category: "general",
} as const

export const settingsExamples = [
  defineExample(getPublicSettingEndpoint, {
    params: { key: "PLATFORM_NAME" },
    data: { setting: { key: "PLATFORM_NAME", value: "Tilinta" } },
    failures: ["setting_not_found"],
  }),
  defineExample(listSettingsEndpoint, {
    data: {
      settings: [
        {
          ...setting,
          _id: "PIX_EXPIRATION_MINUTES",
          key: "PIX_EXPIRATION_MINUTES",
          value: 1440,
          description: "Validade máxima de um código Pix, em minutos",
          type: "number",
          category: "api",
        },
      ],
    },
    failures: [],
  }),
  defineExample(createSettingEndpoint, {
    body: ownSetting,
    data: { setting: { ...setting, ...ownSetting, _id: ownSetting.key } },
    failures: ["setting_exists", "idempotency_key_reused"],
  }),
  defineExample(updateSettingEndpoint, {
    params: { key: "PLATFORM_NAME" },
    body: { value: "Tilinta" },
    data: { setting },
    failures: ["setting_not_found"],
  }),
  defineExample(initializeSettingsEndpoint, { data: { created: 8, updated: 0 }, failures: [] }),
]
