/**
 * Demo data: the records of a company that makes water sensors, over the two years before a given day. The same day gives
 * the same records. All of it is one operation, so that an undo removes it again.
 */
import { readFile } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Ctx } from '../../kernel/context.ts'
import { crud } from '../../kernel/crud.ts'
import type { UploadPart } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { asOperation } from '../../kernel/operation.ts'
import { isSetResource } from '../../kernel/resource.ts'
import { resources } from '../../resources/index.ts'
import { analyseTablesOf } from '../../resources/statistics.ts'
import { transcription } from '../recordings/record.ts'
import { receive } from '../recordings/upload.ts'
import { createActivities, createNotes } from './activities.ts'
import type { Building } from './build.ts'
import { createCustomers } from './companies.ts'
import { createDeals, type Deal } from './deals.ts'
import { randomOf } from './random.ts'
import {
  createChat,
  createFields,
  createPages,
  createPipelines,
  createProducts,
  createTags,
} from './surroundings.ts'

const SEED = 20_260_101

export interface Filled {
  operation_id: string
  counts: Readonly<Record<string, number>>
}

/** Whether the account has a record that people work with. */
export async function hasRecords(ctx: Ctx): Promise<boolean> {
  for (const { operations } of resources.filter(isSetResource)) {
    const { total } = await operations.list(ctx, { page: 1, page_size: 1 })
    if (total > 0) return true
  }
  return false
}

export type OnProgress = (done: number, total: number) => void

export interface FillOptions {
  /** also into an account with records */
  isForced?: boolean | undefined
  onProgress?: OnProgress | undefined
}

/** Fills the account. Refused where it has records, unless `isForced`. */
export async function fillDemo(
  ctx: Ctx,
  today: string,
  { isForced = false, onProgress = () => {} }: FillOptions = {},
): Promise<Filled> {
  if (!isForced && (await hasRecords(ctx)))
    throw errors.conflict('This account has records: the demo is for an empty one')
  const { operationId, result } = await asOperation(ctx, 'demo', 'account', async tx => {
    const start = Date.parse(`${today}T00:00:00Z`)
    const building: Building = { tx, random: randomOf(SEED), today: start, phones: new Set() }
    const step = stepsOf(onProgress)
    await step(8, createFields(building))
    const pipelines = await step(3, createPipelines(building))
    const products = await step(1, createProducts(building))
    const customers = await step(10, createCustomers(building))
    const deals = await step(37, createDeals(building, customers, pipelines, products))
    const activities = await step(27, createActivities(building, customers, deals))
    const notes = await step(5, createNotes(building, customers, deals))
    await step(2, createTags(building, customers, deals))
    await step(4, createPages(building))
    await step(1, createChat(building))
    await step(2, createRecording(building, deals))
    const counts = {
      companies: customers.length,
      contacts: customers.reduce((sum, { people }) => sum + people.length, 0),
      pipelines: pipelines.length,
      deals: deals.length,
      products: products.length,
      activities: activities.length,
      notes: notes.length,
    }
    return { result: counts, count: Object.values(counts).reduce((sum, count) => sum + count, 0) }
  })
  await analyseTablesOf(
    ctx,
    resources.filter(isSetResource).map(({ record }) => record),
  )
  return { operation_id: operationId, counts: result }
}

/** Reports the end of each step. Its share is the percentage of the time that it takes on the embedded engine. */
function stepsOf(onProgress: OnProgress) {
  let done = 0
  onProgress(done, 100)
  return async <T>(share: number, work: Promise<T>): Promise<T> => {
    const result = await work
    done += share
    onProgress(done, 100)
    return result
  }
}

/** A call in synthetic speech, which the worker transcribes. */
async function createRecording({ tx }: Building, deals: readonly Deal[]): Promise<void> {
  const deal = deals.find(({ closed }) => closed === undefined)
  const audio = await readFile(new URL('./world/call.mp3', import.meta.url))
  async function* parts(): AsyncGenerator<UploadPart> {
    if (deal) {
      yield { type: 'field', fieldname: 'deal_id', value: deal.id }
      yield { type: 'field', fieldname: 'company_id', value: deal.customer.id }
    }
    const file = Readable.from([audio])
    yield { type: 'file', fieldname: 'file', filename: 'call.mp3', mimetype: 'audio/mpeg', file }
  }
  const raw = new IncomingMessage(new Socket())
  await receive(tx, { parts, raw, body: undefined, header: () => undefined }, crud(transcription).get)
}
