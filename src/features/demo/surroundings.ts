/** The demo besides companies, people, deals and activities: fields, pipelines, products, tags, pages, a chat. */
import { chats } from '../../resources/chats/index.ts'
import { addMessage } from '../../resources/chats/messages.ts'
import { customFields } from '../../resources/custom-fields/index.ts'
import { emailTemplates } from '../../resources/email-templates/index.ts'
import { kb } from '../../resources/kb/index.ts'
import { createPipeline, pipelineOperations } from '../../resources/pipelines/pipelines.ts'
import type { Pipeline } from '../../resources/pipelines/record.ts'
import { products } from '../../resources/products/index.ts'
import { tags } from '../../resources/tags/index.ts'
import { addTags } from '../../resources/tags/taggings.ts'
import { type Building, createAll } from './build.ts'
import type { Customer } from './companies.ts'
import type { Deal } from './deals.ts'
import { FOLDERS, TEMPLATES } from './world/pages.ts'
import { PRODUCTS } from './world/products.ts'

const choice = (...values: string[]) => values.map(value => ({ value, is_archived: false }))
const plain = { is_required: false, is_unique: false, is_archived: false }

export async function createFields({ tx }: Building): Promise<void> {
  const fields = [
    {
      entity_type: 'company',
      key: 'tier',
      name: 'Tier',
      field_type: 'select',
      options: choice('gold', 'silver', 'bronze'),
    },
    { entity_type: 'company', key: 'customer_since', name: 'Customer since', field_type: 'date' },
    {
      entity_type: 'contact',
      key: 'channel',
      name: 'Preferred channel',
      field_type: 'select',
      options: choice('phone', 'email', 'visit'),
    },
    { entity_type: 'deal', key: 'sites', name: 'Sites', field_type: 'number' },
  ] as const
  for (const field of fields) await customFields.operations.create(tx, { ...plain, ...field })
}

/** The pipeline that the account has, and two more. */
export async function createPipelines({ tx }: Building): Promise<Pipeline[]> {
  const stage = (name: string, probability: number) => ({ name, type: 'open' as const, probability })
  const ends = (won: string, lost: string) => [
    { name: won, type: 'won' as const, probability: 100 },
    { name: lost, type: 'lost' as const, probability: 0 },
  ]
  const { items } = await pipelineOperations.list(tx, { page: 1, page_size: 50 })
  const own = items.filter(({ is_default }) => is_default)
  const rest = { is_default: false, is_archived: false }
  const renewals = await createPipeline(tx, {
    ...rest,
    name: 'Renewals',
    stages: [stage('Due', 60), stage('Contacted', 75), stage('Agreed', 90), ...ends('Renewed', 'Cancelled')],
  })
  const projects = await createPipeline(tx, {
    ...rest,
    name: 'Service projects',
    stages: [
      stage('Request', 20),
      stage('Survey', 40),
      stage('Offer', 60),
      stage('Planned', 85),
      ...ends('Done', 'Declined'),
    ],
  })
  return [...own, renewals, projects]
}

export const createProducts = ({ tx }: Building): Promise<string[]> =>
  createAll(
    tx,
    products,
    PRODUCTS.map(([name, sku, unit_price, billing_period, description]) => ({
      input: { name, sku, unit_price, billing_period, description, active: true },
    })),
  )

const TAGS = [
  ['Reference', '#15803d'],
  ['Key account', '#1d4ed8'],
  ['Tender', '#a16207'],
  ['At risk', '#dc2626'],
  ['Fair 2026', '#7c3aed'],
] as const

export async function createTags(
  { tx, random }: Building,
  customers: readonly Customer[],
  deals: readonly Deal[],
): Promise<void> {
  for (const [name, color] of TAGS) {
    const { id } = await tags.operations.create(tx, { name, color })
    const onDeals = name === 'Tender' || name === 'At risk'
    const chosen = (onDeals ? deals : customers).filter(() => random.chance(0.15)).map(({ id: one }) => one)
    await addTags(tx, onDeals ? 'deal' : 'company', chosen, [id])
  }
}

export async function createPages({ tx }: Building): Promise<void> {
  const visibility = 'private' as const
  for (const [position, [title, pages]] of Object.entries(FOLDERS).entries()) {
    const folder = await kb.operations.create(tx, { type: 'folder', title, visibility, position })
    for (const [position, [name, content_markdown]] of pages.entries())
      await kb.operations.create(tx, {
        ...{ type: 'page', title: name, visibility, position },
        ...{ content_markdown, parent_id: folder.id },
      })
  }
  for (const template of TEMPLATES) await emailTemplates.operations.create(tx, template)
}

const CHAT = [
  ['user', 'Which of our customers have not heard from us for a month?'],
  [
    'assistant',
    'Ask me again and I look it up in the records: "Which customers had no activity in the last 30 days?" I can also count, add up and compare, and follow up with "only those in Germany".',
  ],
  ['user', 'Good. What does our knowledge base say about delivery times?'],
  [
    'assistant',
    'Probes and gateways take two weeks, nitrate analysers eight weeks. In August the workshop is closed for two weeks (page "Delivery times").',
  ],
] as const

export async function createChat({ tx }: Building): Promise<void> {
  const chat = await chats.operations.create(tx, { title: 'Getting to know Kith' })
  for (const [role, content] of CHAT) await addMessage(tx, chat.id, { role, content })
}
