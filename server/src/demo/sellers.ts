import type { ShopColor } from "@tilinta/contract/vocabulary/shops"

/** A page that anybody may pay, any number of times. */
export interface DemoPage {
  title: string
  description: string
  reais: number
  perWeek: number
  /** Customer data that the page asks for. */
  asks: "nothing" | "name" | "contact" | "everything"
  /** The page's payment limit; none when absent. */
  places?: number
  /** A change of the page, so many days before the end of the story. */
  fate?: { daysBefore: number; what: "cancelled" | "deleted" | { newReais: number } }
}

/** Pages for one customer each. */
export interface DemoOrders {
  titles: readonly string[]
  description: string
  reais: readonly [least: number, most: number]
  perWeek: number
  expiresInHours: 0 | 24 | 48 | 72
}

/** Amounts that the same customers pay each month, by a due day. */
export interface DemoMonthly {
  title: string
  reais: number
  customers: number
}

/** Customers subscribe to it by its page. */
export interface DemoPlan {
  title: string
  description: string
  reais: number
  subscribers: number
}

/** Customers authorise their banks to debit it each month. */
export interface DemoAutomatic {
  title: string
  reais: number
  customers: readonly ("pays" | "has no money" | "cancels" | "waits")[]
}

/** How payers see a seller; most show only their name. */
export interface DemoShop {
  name: string
  document?: string
  color: ShopColor
  hasLogo?: true
  closedText?: string
}

export interface DemoSeller {
  name: string
  /** The part before the @; the domain can't exist. */
  mailbox: string
  city: readonly [name: string, state: string, areaCode: string, zipCode: string]
  street: readonly [name: string, number: string, neighborhood: string]
  bank: string
  isPaidBy: "pix-cpf" | "pix-email" | "pix-phone" | "bank_transfer"
  joinedOnDay: number
  shop?: DemoShop
  pages: readonly DemoPage[]
  orders?: DemoOrders
  monthly?: DemoMonthly
  plan?: DemoPlan
  automatic?: DemoAutomatic
}

function page(
  title: string,
  description: string,
  reais: number,
  perWeek: number,
  asks: DemoPage["asks"],
  more: Pick<DemoPage, "places" | "fate"> = {},
): DemoPage {
  return { title, description, reais, perWeek, asks, ...more }
}

export const demoSellers: readonly DemoSeller[] = [
  {
    name: "Ana Beatriz Moreira",
    mailbox: "ana@docesdaana",
    city: ["São Paulo", "SP", "11", "05433001"],
    street: ["Rua Harmonia", "482", "Vila Madalena"],
    bank: "260 - Nu Pagamentos",
    isPaidBy: "pix-email",
    joinedOnDay: 0,
    shop: {
      name: "Doces da Ana",
      document: "11222333000181",
      color: "amber",
      hasLogo: true,
      closedText: "Esta encomenda já foi encerrada. Chame no WhatsApp para combinar outra.",
    },
    monthly: { title: "Caixa de doces do mês", reais: 89, customers: 12 },
    plan: {
      title: "Clube do brigadeiro",
      description: "Doze brigadeiros de sabores novos, todo mês, na sua porta.",
      reais: 59.9,
      subscribers: 9,
    },
    pages: [
      page("Caixa de brigadeiros gourmet", "Doze brigadeiros, feitos no dia", 48, 7, "contact"),
      page("Bolo de aniversário (sinal)", "Metade agora, metade na entrega", 95, 3, "contact"),
      page("Oficina de chocolate para crianças", "Sábado à tarde, com lanche incluído", 120, 3, "everything", {
        places: 30,
      }),
      page("Cesta de café da manhã", "Para duas pessoas, entregue em casa", 149.9, 2, "name", {
        fate: { daysBefore: 48, what: "cancelled" },
      }),
    ],
    orders: {
      titles: ["Bolo de casamento", "Mesa de doces para festa", "Torta de frutas", "Kit festa 30 pessoas"],
      description: "Encomenda combinada por mensagem",
      reais: [180, 920],
      perWeek: 3,
      expiresInHours: 72,
    },
  },
  {
    name: "Carlos Eduardo Nogueira",
    mailbox: "carlos@nogueirapersonal",
    city: ["Curitiba", "PR", "41", "80420090"],
    street: ["Rua Comendador Araújo", "143", "Centro"],
    bank: "341 - Itaú Unibanco",
    isPaidBy: "pix-cpf",
    joinedOnDay: 2,
    pages: [
      page("Mensalidade do treino em grupo", "Três treinos por semana", 189, 4, "contact"),
      page("Aula avulsa", "Uma hora de treino individual", 90, 3, "name", {
        fate: { daysBefore: 30, what: { newReais: 98 } },
      }),
    ],
    automatic: { title: "Treino individual", reais: 480, customers: ["pays", "pays"] },
  },
  {
    name: "Mariana Alves Prado",
    mailbox: "mariana@auroraestudio",
    city: ["Florianópolis", "SC", "48", "88062000"],
    street: ["Avenida Afonso Delambert Neto", "615", "Lagoa da Conceição"],
    bank: "077 - Banco Inter",
    isPaidBy: "pix-phone",
    joinedOnDay: 4,
    shop: { name: "Aurora Estúdio", color: "violet" },
    pages: [
      page("Yoga: pacote de oito aulas", "Válido por dois meses", 320, 3, "contact"),
      page("Retiro de fim de semana", "Com hospedagem e refeições", 780, 2, "everything", { places: 14 }),
    ],
  },
  {
    name: "João Pedro Cavalcante",
    mailbox: "joao@violaocomjp",
    city: ["Recife", "PE", "81", "52060040"],
    street: ["Rua do Futuro", "77", "Graças"],
    bank: "290 - PagBank",
    isPaidBy: "pix-cpf",
    joinedOnDay: 6,
    pages: [page("Aula de violão pela internet", "Cinquenta minutos, ao vivo", 75, 4, "name")],
  },
  {
    name: "Fernanda Lima Teixeira",
    mailbox: "contato@fernandateixeirapsi",
    city: ["Belo Horizonte", "MG", "31", "30140071"],
    street: ["Rua dos Aimorés", "1250", "Funcionários"],
    bank: "001 - Banco do Brasil",
    isPaidBy: "bank_transfer",
    joinedOnDay: 7,
    pages: [page("Sessão de psicoterapia", "Presencial ou por vídeo", 210, 5, "everything")],
  },
  {
    name: "Rafael Souza Brandão",
    mailbox: "rafael@brandaofoto",
    city: ["Rio de Janeiro", "RJ", "21", "22410003"],
    street: ["Rua Garcia d'Ávila", "58", "Ipanema"],
    bank: "260 - Nu Pagamentos",
    isPaidBy: "pix-email",
    joinedOnDay: 9,
    pages: [page("Ensaio na praia", "Uma hora e vinte fotos tratadas", 450, 2, "contact")],
    orders: {
      titles: ["Cobertura de evento", "Álbum impresso", "Fotos para currículo", "Ensaio de família"],
      description: "Conforme o orçamento enviado",
      reais: [160, 1800],
      perWeek: 2,
      expiresInHours: 48,
    },
  },
  {
    name: "Luciana Ferraz Duarte",
    mailbox: "luciana@atelieferraz",
    city: ["Porto Alegre", "RS", "51", "90035003"],
    street: ["Avenida Osvaldo Aranha", "920", "Bom Fim"],
    bank: "748 - Sicredi",
    isPaidBy: "bank_transfer",
    joinedOnDay: 11,
    pages: [],
    orders: {
      titles: ["Ajuste de vestido", "Barra de calça", "Blusa sob medida", "Vestido de festa", "Reforma de casaco"],
      description: "Retirada no ateliê, até sábado",
      reais: [35, 640],
      perWeek: 4,
      expiresInHours: 24,
    },
  },
  {
    name: "Thiago Martins Rocha",
    mailbox: "thiago@rochatecnica",
    city: ["Goiânia", "GO", "62", "74120020"],
    street: ["Rua 9", "310", "Setor Oeste"],
    bank: "756 - Sicoob",
    isPaidBy: "pix-phone",
    joinedOnDay: 13,
    pages: [page("Visita técnica", "O valor é abatido do conserto", 80, 3, "contact")],
    orders: {
      titles: ["Conserto de notebook", "Troca de tela", "Recuperação de arquivos", "Limpeza de computador"],
      description: "Garantia de noventa dias",
      reais: [120, 780],
      perWeek: 3,
      expiresInHours: 48,
    },
  },
  {
    name: "Patrícia Gomes Siqueira",
    mailbox: "patricia@inglescompatricia",
    city: ["Campinas", "SP", "19", "13025240"],
    street: ["Rua Emílio Ribas", "805", "Cambuí"],
    bank: "237 - Bradesco",
    isPaidBy: "pix-cpf",
    joinedOnDay: 16,
    pages: [
      page("Inglês: mensalidade da turma B1", "Duas aulas por semana", 260, 3, "contact"),
      page("Conversação às sextas", "Encontro de uma hora e meia", 45, 3, "nothing"),
    ],
    automatic: {
      title: "Inglês particular",
      reais: 320,
      customers: ["pays", "has no money", "cancels", "pays", "waits"],
    },
  },
  {
    name: "André Luiz Barreto",
    mailbox: "andre@marcenariabarreto",
    city: ["Salvador", "BA", "71", "41940360"],
    street: ["Rua Feira de Santana", "27", "Rio Vermelho"],
    bank: "104 - Caixa Econômica Federal",
    isPaidBy: "bank_transfer",
    joinedOnDay: 20,
    pages: [
      page("Tábua de corte em jaqueira", "Feita à mão, 40 × 25 cm", 139.9, 3, "everything", {
        fate: { daysBefore: 8, what: "deleted" },
      }),
    ],
    orders: {
      titles: ["Entrada da estante", "Mesa de jantar: segunda parcela", "Aparador em cedro", "Restauro de cadeiras"],
      description: "Conforme o pedido assinado",
      reais: [350, 2900],
      perWeek: 1,
      expiresInHours: 72,
    },
  },
  {
    name: "Camila Rezende",
    mailbox: "camila@somdaserra",
    city: ["Petrópolis", "RJ", "24", "25680195"],
    street: ["Rua do Imperador", "288", "Centro"],
    bank: "336 - Banco C6",
    isPaidBy: "pix-email",
    joinedOnDay: 24,
    pages: [
      page("Festival Som da Serra: primeiro lote", "Ingresso para os dois dias", 130, 11, "everything", { places: 45 }),
      page("Festival Som da Serra: meia solidária", "Com um quilo de alimento", 65, 5, "everything"),
    ],
  },
  {
    name: "Marcos Vinícius Farias",
    mailbox: "marcos@importadosmv",
    city: ["Manaus", "AM", "92", "69020030"],
    street: ["Avenida Eduardo Ribeiro", "520", "Centro"],
    bank: "380 - PicPay",
    isPaidBy: "pix-email",
    joinedOnDay: 30,
    pages: [page("Fone de ouvido sem fio", "Pronta entrega em Manaus", 219.9, 3, "contact")],
  },
]
