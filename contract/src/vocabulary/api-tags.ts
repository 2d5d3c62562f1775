/** Groups of endpoints in the API's reference, with what each is about. */
export const apiTags = {
  Autenticação: "Cadastro, login e senha. Programas usam uma chave de API no lugar do login.",
  Usuários: "O perfil e o saldo de quem chama.",
  Sessões: "As sessões abertas no navegador.",
  Segurança: "O segundo fator da conta: aplicativo autenticador e códigos de recuperação.",
  "Chaves de API": "Chaves com que um programa age em nome do vendedor, cada uma com as suas permissões.",
  "Páginas de cobrança": "Páginas com link público, em que o pagador gera o Pix.",
  Pagamento: "O que o pagador chama, sem login: gerar o Pix, acompanhar e comprovar o pagamento.",
  Transações: "Cada Pix gerado para o vendedor, pago ou não, e os seus estornos.",
  Contestações: "Pagamentos que o pagador contestou no banco dele, e a defesa do vendedor.",
  Saques: "Pedidos de transferência do saldo para uma chave Pix ou conta bancária.",
  Eventos: "O que aconteceu com as transações, os saques e as páginas do vendedor, em ordem e sem falhas na numeração.",
  Busca: "Busca rápida no que é do vendedor.",
  Configurações: "Configurações da plataforma.",
  "Administração: usuários": "Os usuários da plataforma, vistos por administradores.",
  "Administração: saques": "Os saques que administradores aprovam, rejeitam, pagam e devolvem.",
  "Administração: transações": "As transações de todos os vendedores, e os seus estornos.",
  "Administração: contestações": "As contestações de todos os vendedores.",
  "Administração: pagamentos a conferir": "Dinheiro que chegou e não pôde ser creditado sem a decisão de uma pessoa.",
  "Administração: fechamento diário": "A comparação de cada dia com o banco.",
  "Administração: páginas de cobrança": "As páginas de todos os vendedores.",
  "Administração: relatórios": "Números da plataforma.",
  "Administração: auditoria": "Quem fez o quê, e quando.",
  "Administração: busca": "Busca rápida no que é de todos.",
  "Administração: sistema": "Como está o que funciona sozinho: banco, filas, tarefas, contabilidade.",
} as const satisfies Record<string, string>

export type ApiTag = keyof typeof apiTags
