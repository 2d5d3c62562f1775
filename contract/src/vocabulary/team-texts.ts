import type { ShopRole } from "./team.ts"

export const shopRoleLabels = {
  owner: "Dono",
  manager: "Gerente",
  accountant: "Contador",
  cashier: "Caixa",
} as const satisfies Record<ShopRole, string>

export const shopRoleHints = {
  owner: "Faz tudo: saca, cria chaves e webhooks, muda a equipe.",
  manager: "Vê tudo e cuida das vendas. Não saca, não cria chaves e não muda a equipe nem o documento da loja.",
  accountant: "Vê e baixa transações, saques, cobranças, clientes, contestações, extrato e informe. Não altera nada.",
  cashier: "Cobra no balcão e vê o que o balcão vendeu hoje. Não vê saldo, transações nem clientes.",
} as const satisfies Record<ShopRole, string>
