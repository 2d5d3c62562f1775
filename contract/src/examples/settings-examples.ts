import {
  createSettingEndpoint,
  getPublicSettingEndpoint,
  initializeSettingsEndpoint,
  listSettingsEndpoint,
  updateSettingEndpoint,
} from "../api/settings-endpoints.ts"
import { defineExample } from "./define-example.ts"

export const settingsExamples = [
  defineExample(getPublicSettingEndpoint, {
    params: {
      key: "PLATFORM_NAME",
    },
    reply: {
      status: "success",
      data: {
        setting: {
          key: "PLATFORM_NAME",
          value: "Tilinta",
        },
      },
    },
    failures: ["setting_not_found"],
  }),
  defineExample(listSettingsEndpoint, {
    reply: {
      status: "success",
      data: {
        settings: [
          {
            _id: "PIX_EXPIRATION_MINUTES",
            key: "PIX_EXPIRATION_MINUTES",
            value: 1440,
            description: "Validade máxima de um código Pix, em minutos",
            type: "number",
            category: "api",
            updatedAt: "2026-11-21T12:00:00.000Z",
            updatedBy: {
              name: "Ana Souza",
              email: "ana@loja.example",
            },
          },
        ],
      },
    },
    failures: [],
  }),
  defineExample(createSettingEndpoint, {
    body: {
      key: "WELCOME_TEXT",
      value: "Olá!",
      description: "Texto de boas-vindas",
      type: "string",
      category: "general",
    },
    reply: {
      status: "success",
      data: {
        setting: {
          _id: "WELCOME_TEXT",
          key: "WELCOME_TEXT",
          value: "Olá!",
          description: "Texto de boas-vindas",
          type: "string",
          category: "general",
          updatedAt: "2026-11-21T12:00:00.000Z",
          updatedBy: {
            name: "Ana Souza",
            email: "ana@loja.example",
          },
        },
      },
    },
    failures: ["setting_exists", "idempotency_key_reused"],
  }),
  defineExample(updateSettingEndpoint, {
    params: {
      key: "PLATFORM_NAME",
    },
    body: {
      value: "Tilinta",
    },
    reply: {
      status: "success",
      data: {
        setting: {
          _id: "PLATFORM_NAME",
          key: "PLATFORM_NAME",
          value: "Tilinta",
          description: "Nome da plataforma, mostrado nas telas e nos e-mails",
          type: "string",
          category: "general",
          updatedAt: "2026-11-21T12:00:00.000Z",
          updatedBy: {
            name: "Ana Souza",
            email: "ana@loja.example",
          },
        },
      },
    },
    failures: ["setting_not_found"],
  }),
  defineExample(initializeSettingsEndpoint, {
    reply: {
      status: "success",
      data: {
        created: 8,
        updated: 0,
      },
    },
    failures: [],
  }),
]
