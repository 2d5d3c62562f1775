import type { PublicChargePageView, PublicInvoiceView } from "@tilinta/contract/charge-pages"
import type { PublicShopView } from "@tilinta/contract/fields"
import type { CheckoutProps } from "@tilinta/contract/pages/checkout-props"
import type { PayerValues, ShownPix } from "../src/checkout/checkout-state.ts"

export const testPage: PublicChargePageView = {
  _id: "0190f3a4-0000-7000-8000-000000000001",
  title: "Mentoria de Vendas – Turma Novembro",
  description: "4 encontros ao vivo, grupo exclusivo e gravações por 12 meses.",
  slug: "mentoria-de-vendas-turma-novembro",
  uniqueLink: "Xa8dK2lmNQpo",
  amount: 349.9,
  minAmount: null,
  maxAmount: null,
  suggestions: [],
  shortCode: "7KQ-M2X",
  status: "active",
  requireCustomerData: true,
  customerInfo: { requireName: true, requireEmail: true, requirePhone: true, requireCpf: true },
  pixConfig: { allowAnonymous: false, expiresInHours: 24 },
  expiresAt: "2026-11-22T17:18:00.000Z",
  seller: { name: "Ana Souza Mentorias" },
}

export const testInvoice: PublicInvoiceView = {
  dueDate: "2026-11-20",
  adjustedDueDate: "2026-11-20",
  lastDay: "2026-12-20",
  daysLate: 4,
  original: 349.9,
  discount: 0,
  fine: 7,
  interest: 0,
  discountUntil: null,
  secondsLeft: 3600,
  schedule: [
    { day: "2026-11-24", amount: 356.9 },
    { day: "2026-11-25", amount: 356.9 },
    { day: "2026-11-26", amount: 357 },
    { day: "2026-11-27", amount: 357.1 },
  ],
}

export const testShop: PublicShopView = {
  name: "Doces da Ana",
  document: "11222333000181",
  logoUrl: "https://pagar.exemplo.com/logos/1f8ac10f23c5b5bc1167bda84b833e5c.png",
  color: "amber",
  whatsapp: "11987654321",
  email: "oi@docesdaana.example",
  closedText: "As encomendas de dezembro estão encerradas.",
}

export const noValues: PayerValues = { name: "", email: "", cpf: "", phone: "" }

export function testProps(page: Partial<PublicChargePageView> | null = {}): CheckoutProps {
  return {
    platformName: "Tilinta",
    supportEmail: "suporte@exemplo.com",
    origin: "https://pagar.exemplo.com",
    page: page && { ...testPage, ...page },
    previewUrl: "https://pagar.exemplo.com/checkout/Xa8dK2lmNQpo/previa-9f2c41d07b3a5e68.png",
    form: { key: "cH4v3cH4v3cH4v3cH4v3cH", values: {}, problem: null, failure: null },
    hiddenBy: null,
    ended: null,
    customerDataPath: null,
    closedShop: null,
    reportPath: "/checkout/Xa8dK2lmNQpo/denunciar",
    isReturning: false,
    isNewSeller: false,
    payment: null,
  }
}

export const testPix: ShownPix = {
  transactionId: "0190f3a4-0000-7000-8000-000000000002",
  payerToken: "mK0xTj9vQ2cR7hYd3sWfZA",
  pixQrCodeBase64: "iVBORw0KGgo=",
  pixCode: "00020126",
  amount: 349.9,
  status: "pendente",
  expiresAt: "2026-11-21T17:33:00.000Z",
  serverTime: "2026-11-21T17:18:00.000Z",
  receiverName: "RECEBE LTDA",
  clockSkewMs: 0,
  shownAtMs: Date.parse("2026-11-21T17:18:00.000Z"),
  confirmedAt: null,
}
