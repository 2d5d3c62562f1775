import { describe, expect, test } from "vitest"
import { honestShopNames } from "../../../test-support/honest-shop-names.ts"
import { holdsAddress, misleadingIn } from "./misleading-names.ts"

const own = ["Tilinta"]
const nameIn = (text: string) => {
  const found = misleadingIn(text, own)
  return found?.kind === "name" ? found.name : (found?.kind ?? null)
}

const borrowed: [text: string, name: string][] = [
  ["Nubank", "Nubank"],
  ["NUBANK Suporte", "Nubank"],
  ["Suporte do nubank.", "Nubank"],
  ["Nu bank", "Nubank"],
  ["N u b a n k", "Nubank"],
  ["N-u-b-a-n-k", "Nubank"],
  ["N.u.b.a.n.k", "Nubank"],
  ["N\u200bu\u200db\u2060ank", "Nubank"],
  ["Nu\u00adbank", "Nubank"],
  ["N\u202Eubank", "Nubank"],
  ["Nuḃánk", "Nubank"],
  ["Nuƅank", "Nubank"],
  ["Nʉbank", "Nubank"],
  ["Nubꭺnk", "Nubank"],
  ["Nubanқ", "Nubank"],
  ["Tilinꭲa", "Tilinta"],
  ["Ｎｕｂａｎｋ", "Nubank"],
  ["𝐍𝐮𝐛𝐚𝐧𝐤", "Nubank"],
  ["Nub4nk", "Nubank"],
  ["Nub@nk", "Nubank"],
  ["Nuьаnk", "Nubank"],
  ["Νubаnк", "Nubank"],
  ["NubankOficial", "Nubank"],
  ["(Nubank)", "Nubank"],
  ["nubank-suporte", "Nubank"],
  ["N🏦ubank", "Nubank"],
  ["Itau", "Itaú"],
  ["ltaú", "Itaú"],
  ["1tau", "Itaú"],
  ["!taú", "Itaú"],
  ["Ιταυ", "Itaú"],
  ["Bradescо Prime", "Bradesco"],
  ["8radesco", "Bradesco"],
  ["$antander", "Santander"],
  ["5antander", "Santander"],
  ["Ѕаntаndеr", "Santander"],
  ["Banco do Brasil", "Banco do Brasil"],
  ["BANCO  DO  BRASIL S.A.", "Banco do Brasil"],
  ["bancodobrasil", "Banco do Brasil"],
  ["banco-do-brasil", "Banco do Brasil"],
  ["Caixa Economica Federal", "Caixa Econômica"],
  ["C A I X A  Econômica", "Caixa Econômica"],
  ["Banco Inter", "Banco Inter"],
  ["BTG", "BTG"],
  ["C6 Bank", "C6 Bank"],
  ["PicPay", "PicPay"],
  ["Pic Pay atendimento", "PicPay"],
  ["P1cPay", "PicPay"],
  ["PagSeguro", "PagSeguro"],
  ["Mercad0 Pag0", "Mercado Pago"],
  ["Receita Federal do Brasil", "Receita Federal"],
  ["receitafederal", "Receita Federal"],
  ["Rесеitа Fеdеrаl", "Receita Federal"],
  ["Receíta_Federál", "Receita Federal"],
  ["receita-federal", "Receita Federal"],
  ["Policia  Federal", "Polícia Federal"],
  ["Detran SP", "Detran"],
  ["D3TRAN", "Detran"],
  ["Multa do DETRAN/MG", "Detran"],
  ["Taxa dos Correios", "Correios"],
  ["gov.br pagamentos", "address"],
  ["Gov BR", "Gov BR"],
  ["INSS", "INSS"],
  ["Tilinta Suporte", "Tilinta"],
  ["Ti1inta", "Tilinta"],
  ["TIL1NTA", "Tilinta"],
  ["T i l i n t a", "Tilinta"],
  // Letters of other scripts, squared and regional ones, digits
  ["Ƞubank", "Nubank"],
  ["ŋubank", "Nubank"],
  ["ᑎubank", "Nubank"],
  ["Nubanĸ", "Nubank"],
  ["Nu6ank", "Nubank"],
  ["Ɓradesco", "Bradesco"],
  ["Santandɘr", "Santander"],
  ["DETRΛN", "Detran"],
  ["Ꭰetran", "Detran"],
  ["ꓔilinta", "Tilinta"],
  ["🆃🅸🅻🅸🅽🆃🅰", "Tilinta"],
  ["🇹🇮🇱🇮🇳🇹🇦", "Tilinta"],
  ["🅝🅤🅑🅐🅝🅚", "Nubank"],
  ["ⓃⓊⒷⒶⓃⓀ", "Nubank"],
  ["Nubɐnk", "Nubank"],
  ["Ɲubank", "Nubank"],
  ["ＮＵ６ＡＮＫ", "Nubank"],
  ["ɴᴜʙᴀɴᴋ", "Nubank"],
  ["Ñübànk", "Nubank"],
  ["N̶u̶b̶a̶n̶k̶", "Nubank"],
  ["Ѕаnтаnдеr", "Santander"],
  ["ΒRΑDΕSCΟ", "Bradesco"],
  ["Brаdеѕсo", "Bradesco"],
  ["6radesc0", "Bradesco"],
  ["Bradescه", "Bradesco"],
  ["Itàü Unibaпco", "Itaú"],
  ["lNSS", "INSS"],
  ["1N55", "INSS"],
  ["Sɑbesp", "Sabesp"],
  ["Еnеl", "Enel"],
  ["Shοpее", "Shopee"],
  ["Rnercado Pago", "Mercado Pago"],
  ["Braclesco", "Bradesco"],
  ["Nu₿ank", "Nubank"],
  ["ßradesco", "Bradesco"],
  ["ꓚоrrеіоѕ", "Correios"],
  ["Ꮪerasa", "Serasa"],
  // Short names in pieces
  ["I.N.S.S", "INSS"],
  ["І N S S", "INSS"],
  ["i-n-s-s", "INSS"],
  ["B T G", "BTG"],
  ["R.F.B.", "RFB"],
  ["C.E.F", "CEF"],
  ["V I V O", "Vivo"],
  // Parts of longer words
  ["Nubanks", "Nubank"],
  ["nubankx", "Nubank"],
  ["Nubankar", "Nubank"],
  ["meunubank", "Nubank"],
  ["supernubank", "Nubank"],
  ["tilintabr", "Tilinta"],
  ["Itaúcard", "Itaú"],
  ["itaubank", "Itaú"],
  ["btgpay", "BTG"],
  ["detransp", "Detran"],
  ["sabespfatura", "Sabesp"],
  ["amazonbrasil", "Amazon"],
  ["bancodobrasilsa", "Banco do Brasil"],
  ["vivofibra", "Vivo"],
  ["contaoi", "Oi"],
  // Other names of the same bodies
  ["Banco Nu", "Nu"],
  ["Cartão Nu", "Nu"],
  ["Receita do Brasil", "Receita do Brasil"],
  ["RFB", "RFB"],
  ["CEF", "CEF"],
  ["CEF Pagamentos", "CEF"],
  // Utilities, telecoms, shops
  ["Enel", "Enel"],
  ["Enel São Paulo", "Enel"],
  ["Sabesp", "Sabesp"],
  ["Conta Cemig", "Cemig"],
  ["Copel Distribuição", "Copel"],
  ["Light Energia", "Light Energia"],
  ["Vivo", "Vivo"],
  ["Vivo S.A.", "Vivo"],
  ["Fatura da Vivo", "Vivo"],
  ["Claro Fibra", "Claro"],
  ["Segunda via de boleto Claro", "Claro"],
  ["TIM Brasil", "TIM"],
  ["Recarga Oi", "Oi"],
  ["Shopee", "Shopee"],
  ["Shopee Pagamentos", "Shopee"],
  ["Amazon", "Amazon"],
  ["Magazine Luiza", "Magazine Luiza"],
  ["Americanas", "Americanas"],
  ["Casas Bahia Carnê", "Casas Bahia"],
]

const addresses = [
  "Acesse http://banco-seguro.example/entrar",
  "HTTPS://x",
  "www.loja",
  "loja.com.br",
  "LOJA.COM",
  "minha-loja.shop",
  "wa.me/5511999999999",
  "bit.ly/abc",
  "loja。com",
  "loja．com",
  "loja․com",
  "loja(.)com",
  "loja [.] com",
  "loja .com",
  "l\u200boja.c\u200bom",
  "ｗｗｗ．ｌｏｊａ．ｃｏｍ",
  "ana@loja.com.br",
  // Every domain of the IANA's list, in its spellings
  "evil.соm",
  "evil.сом",
  "evil.blog",
  "evil.sbs",
  "evil.cfd",
  "evil.cyou",
  "evil.icu",
  "evil.us",
  "evil.de",
  "evil.рф",
  "evil.xn--p1ai",
  "xn--e1afmkfd.com.ua",
  "Pague em evil.zip hoje",
  "loja.moda",
  "EVIL.TOP/pix",
  "evil.bank.",
  // Other dots, and none
  "evil(ponto)com",
  "evil [ponto] com [ponto] br",
  "evil {dot} com",
  "evil ponto com",
  "evil ponto com ponto br",
  "evil • com",
  "evil•com",
  "evil∙com",
  "evil\ua4f8com",
  "evil. com",
  "Acesse evil. com agora",
  "EVIL. COM",
  "evil．sbs",
  "evil﹒icu",
  // Numbers and schemes
  "192.168.0.1",
  "Pague em 192。168。0。1/pix",
  "8.8.8.8.",
  "http:/evil",
  "https:evil",
  "https:\\\\evil",
  "httpː//evil",
  "ftp://evil",
  "http:⁄⁄evil",
]

const honest = [
  "Ana Souza",
  "Banco de tecidos",
  "Banco",
  "Caixa",
  "Caixa de bombons",
  "Caixa com 12 unidades",
  "Doces da Caixa Encantada",
  "Banco de jardim em madeira",
  "Fluxo de caixa para o seu negócio",
  "Central de atendimento",
  "Receita de bolo",
  "Receitas federais e estaduais, um curso de finanças públicas",
  "Inter de Limeira, camisa oficial",
  "Safra de café 2026",
  "Neon e letreiros",
  "Mentoria 1:1",
  "Aula 1.Com certificado de participação".replace(".C", ". C"),
  "Dr.Silva",
  "R$ 1.000,00 de desconto",
  "Versão 2.0",
  "Stella Tilintando",
  "Itaúna Calçados",
  "Ônibus para Itaúnas",
  "Polícia e ladrão, peça de teatro",
  "Detranquilo",
  "Rede Transportes",
  "Nú artístico",
  "Aula 01",
  "Pix 01 de 10",
  "Show ao vivo, ingresso",
  "Curso ao vivo: conta de água",
  "Pagamento claro e simples",
  "Receitas do Brasil",
  "C e F Confecções",
  "Bolos • Doces • Com amor",
  "Curso de HTTP: do zero",
  "O ponto com mais sabor",
  "Entrega rápida. Com garantia",
  "AULA 1. COM CERTIFICADO",
  "Doces, bolos etc. com entrega",
  "CNPJ 12.345.678/0001-95",
  "Suco 1.5l",
  "Kit R$ 1.000.000",
  "Açaí da Amazônia",
  "Sol Claro Energia Solar",
  "Santa Anderson",
  "Visita guiada",
  "Curso in company",
  "Pagamento seguro do aluguel",
  "Seguro pag adiantado",
  "Wise",
  "Clínica João & José",
  "日本語の授業",
  "Уроки русского",
]

describe("names that belong to others are found", () => {
  test.each(borrowed)("%s", (text, name) => expect(nameIn(text)).toBe(name))
})

describe("addresses of sites are found", () => {
  test.each(addresses)("%s", (text) => expect(nameIn(text)).toBe("address"))
})

test("three hundred names of honest shops pass", () => {
  expect(honestShopNames.length).toBeGreaterThanOrEqual(300)
  expect(honestShopNames.map((name) => [name, nameIn(name)]).filter(([, found]) => found !== null)).toEqual([])
})

describe("honest names and titles pass", () => {
  test.each(honest)("%s", (text) => expect(nameIn(text)).toBe(null))
})

test("a platform with another name keeps that one for itself, and a blank name protects nothing", () => {
  expect(misleadingIn("Suporte Cobra Fácil", ["Cobra Fácil"])).toEqual({ kind: "name", name: "Cobra Fácil" })
  expect(misleadingIn("Ana Souza", ["", " "])).toBe(null)
})

test("a long text is read in a moment, whatever it is made of", () => {
  for (const word of ["nuban", "n ", "a.", "receita ", "i1l!"]) {
    expect(millisecondsFor(() => misleadingIn(word.repeat(500), own))).toBeLessThan(500)
  }
})

test("a hundred thousand signs are searched for an address in a moment", () => {
  for (const word of [" ", "a .", "(", " (", "[ . ", "evil ", "1.", "a. ", "• ", "xn--", "www", "ponto "]) {
    const text = word.repeat(100_000 / word.length)
    expect([word, millisecondsFor(() => holdsAddress(text)) < 1_500]).toEqual([word, true])
  }
})

/** The process's own time, which a busy machine doesn't lengthen. */
function millisecondsFor(work: () => unknown): number {
  const begin = process.cpuUsage()
  work()
  return process.cpuUsage(begin).user / 1000
}
