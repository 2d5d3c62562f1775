/** A key's permissions in its owner's words; a scope without words does not compile. */
export const apiKeyScopeLabels = {
  "pages:read": "Ver as páginas de cobrança",
  "pages:write": "Criar, editar e cancelar páginas de cobrança",
  "invoices:read": "Ver as cobranças com vencimento, com os dados dos clientes",
  "invoices:write": "Criar, alterar e encerrar cobranças com vencimento",
  "subscriptions:read": "Ver as assinaturas e os planos, com os dados dos clientes",
  "subscriptions:write": "Criar, alterar, pausar e cancelar assinaturas e planos",
  "transactions:read": "Ver transações, estornos e contestações",
  "refunds:write": "Estornar pagamentos",
  "withdrawals:read": "Ver o saldo e os saques",
  "withdrawals:write": "Solicitar e cancelar saques",
  "events:read": "Acompanhar os eventos: transações, saques e páginas, com seus dados",
  "shop:read": "Ver a loja",
  "shop:write": "Alterar a cor, o logo e os textos da loja",
  "customers:read": "Ver os clientes, com os seus dados",
  "customers:write": "Cadastrar, importar, alterar e arquivar clientes",
  "webhooks:write": "Cadastrar endereços de webhook e ver as entregas: todos os eventos, com seus dados",
} as const
export type ApiKeyScope = keyof typeof apiKeyScopeLabels
export const apiKeyScopes = /* @__PURE__ */ Object.keys(apiKeyScopeLabels) as ApiKeyScope[]

/** Groups of endpoints in the API's reference, with what each is about. */
export const apiTags = {
  Autenticação: "Cadastro, login e senha. Programas usam uma chave de API no lugar do login.",
  Usuários: "O perfil e o saldo de quem chama.",
  "Minha loja": "A loja como quem paga a vê: nome, documento, logo, cor e contato.",
  Equipe: "Quem trabalha na loja, com o papel de cada pessoa, e os convites.",
  Sessões: "As sessões abertas no navegador.",
  Segurança: "O segundo fator da conta: aplicativo autenticador e códigos de recuperação.",
  Avisos: "O que a conta deve saber: acessos, mudanças, saques. Os mesmos avisos chegam por e-mail.",
  "Chaves de API": "Chaves com que um programa age em nome do vendedor, cada uma com as suas permissões.",
  Webhooks: "Endereços que recebem os eventos da conta, e o que foi entregue a cada um.",
  "Páginas de cobrança": "Páginas com link público, em que o pagador gera o Pix.",
  "Cobranças com vencimento":
    "O que um cliente deve até um dia: multa, juros e descontos, e um link com o valor de cada dia.",
  Assinaturas: "O que um cliente paga de novo a cada período, e planos que ele assina por um link.",
  "Pix Automático":
    "A autorização que o cliente dá uma vez no banco dele, e os débitos das cobranças de uma assinatura.",
  Lembretes: "A régua de cobrança: o que lembra o cliente de pagar, sozinho por e-mail ou por você no WhatsApp.",
  Balcão: "As vendas feitas no balcão da loja, com `counter: true` em `POST charges`, e a soma de cada pessoa.",
  "Cobranças avulsas": "Uma cobrança e o seu Pix numa chamada só, para quem vende pelo próprio sistema.",
  Clientes: "Quem o vendedor cobra mais de uma vez, com os seus dados.",
  "Retorno à loja": "Os sites a que o pagador volta depois de pagar, e a chave que assina o retorno.",
  Pagamento: "O que o pagador chama, sem login: gerar o Pix, acompanhar e comprovar o pagamento.",
  Transações: "Cada Pix gerado para o vendedor, pago ou não, e os seus estornos.",
  Contestações: "Pagamentos que o pagador contestou no banco dele, e a defesa do vendedor.",
  Saques: "Pedidos de transferência do saldo para uma chave Pix ou conta bancária.",
  Extrato: "Tudo o que moveu o saldo do vendedor, mês a mês, com o saldo depois de cada lançamento.",
  Eventos: "O que aconteceu com as transações, os saques e as páginas do vendedor, em ordem e sem falhas na numeração.",
  Busca: "Busca rápida no que é do vendedor.",
  Configurações: "Configurações da plataforma.",
  "Administração: usuários": "Os usuários da plataforma, vistos por administradores.",
  "Administração: saques": "Os saques que administradores aprovam, rejeitam, pagam e devolvem.",
  "Administração: pendências": "Quanto espera a decisão de um administrador.",
  "Administração: aprovações": "O que só vale quando dois administradores querem o mesmo.",
  "Administração: transações": "As transações de todos os vendedores, e os seus estornos.",
  "Administração: contestações": "As contestações de todos os vendedores.",
  "Administração: pagamentos a conferir": "Dinheiro que chegou e não pôde ser creditado sem a decisão de uma pessoa.",
  "Administração: contas": "O plano de contas, os seus saldos em qualquer dia, e os lançamentos feitos por pessoas.",
  "Administração: fechamento diário": "A comparação de cada dia com o banco.",
  "Administração: cobranças com vencimento": "O que os clientes de todos os vendedores devem, e até quando.",
  "Administração: Pix Automático": "Quem pode usar o Pix Automático, e as autorizações de todos os vendedores.",
  "Administração: páginas de cobrança": "As páginas de todos os vendedores.",
  "Administração: denúncias": "Páginas que pagadores denunciaram, e a suspensão delas.",
  "Administração: relatórios": "Números da plataforma.",
  "Administração: auditoria": "Quem fez o quê, e quando.",
  "Administração: busca": "Busca rápida no que é de todos.",
  "Administração: sistema": "Como está o que funciona sozinho: banco, filas, tarefas, contabilidade.",
} as const satisfies Record<string, string>

export type ApiTag = keyof typeof apiTags

/** Counts of what waits for an administrator stop here, so that a long queue costs no more than a short one. */
export const MOST_PENDING_COUNTED = 100
