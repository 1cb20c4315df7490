/** Writers that record every acknowledged write, and a check that each is stored exactly once and complete. */
import { randomUUID } from 'node:crypto'
import { KEY, pause } from './service.ts'

interface Answer {
  status: number
  body: Record<string, unknown>
  operation: string | null
  retryAfter: string | null
}

/** undefined: there was no response. */
export async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': KEY,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      body: isJson ? JSON.parse(text) : {},
      operation: response.headers.get('x-operation-id'),
      retryAfter: response.headers.get('retry-after'),
    }
  } catch {
    return undefined
  }
}

export interface Ledger {
  /** records by id: their path, and whether they must exist; undefined while a write is unanswered */
  records: Map<string, { path: string; isThere: boolean | undefined }>
  acknowledged: number
  failed: number
  statuses: Map<number, number>
}

export const newLedger = (): Ledger => ({
  records: new Map(),
  acknowledged: 0,
  failed: 0,
  statuses: new Map(),
})

/** Writes until the signal; half of the creates carry an Idempotency-Key and are repeated until they are answered. */
export async function writer(url: string, ledger: Ledger, stop: AbortSignal, pauseMs = 0): Promise<void> {
  const companies: string[] = []
  const send = async (method: string, path: string, body?: unknown): Promise<Answer | undefined> => {
    const key = method === 'POST' && Math.random() < 0.5 ? randomUUID() : undefined
    for (;;) {
      const answer = await call(url, method, path, body, key)
      ledger.statuses.set(answer?.status ?? 0, (ledger.statuses.get(answer?.status ?? 0) ?? 0) + 1)
      const isDone = answer !== undefined && answer.status < 500
      if (isDone) ledger.acknowledged++
      else ledger.failed++
      if (isDone) return answer
      await pause(50)
      if (key === undefined || stop.aborted) return undefined
    }
  }
  const create = async (path: string, body: Record<string, unknown>) => {
    const answer = await send('POST', path, body)
    if (!answer) return
    if (answer.status !== 201)
      throw new Error(`POST ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
    const id = String(answer.body.id)
    ledger.records.set(id, { path, isThere: true })
    if (path === '/api/companies') companies.push(id)
  }
  for (; !stop.aborted; await pause(pauseMs)) {
    const name = randomUUID()
    const company = companies.at(-1)
    const dice = Math.random()
    if (company === undefined || dice < 0.3) await create('/api/companies', { name })
    else if (dice < 0.5) await create('/api/contacts', { first_name: name, company_id: company })
    else if (dice < 0.65) await create('/api/deals', { name, company_id: company })
    else if (dice < 0.85) await create('/api/notes', { content: name, company_ids: [company] })
    else if (companies.length > 3) await deleteAndUndo(ledger, send, companies.splice(0, 2))
  }
}

async function deleteAndUndo(
  ledger: Ledger,
  send: (method: string, path: string, body?: unknown) => Promise<Answer | undefined>,
  ids: string[],
): Promise<void> {
  const mark = (isThere: boolean | undefined) => {
    for (const id of ids) ledger.records.set(id, { path: '/api/companies', isThere })
  }
  mark(undefined)
  const removed = await send('POST', '/api/companies/bulk-delete', ids)
  if (removed?.status !== 200 || removed.operation === null) return
  mark(false)
  if (Math.random() < 0.5) return
  mark(undefined)
  const undone = await send('POST', `/api/operations/${removed.operation}/undo`)
  if (undone?.status === 200) mark(true)
}

/** Writes that are lost, duplicated or incomplete. */
export async function problemsWith(url: string, ledger: Ledger): Promise<string[]> {
  const problems: string[] = []
  const stored = new Map<string, Record<string, unknown>>()
  for (const path of ['/api/companies', '/api/contacts', '/api/deals', '/api/notes']) {
    const names = new Set<unknown>()
    for (let cursor: unknown = ''; cursor !== null; ) {
      const page = await call(url, 'GET', `${path}?page_size=1000&cursor=${cursor}`)
      if (page?.status !== 200) return [`${path} cannot be listed: ${page?.status}`]
      for (const item of page.body.items as Record<string, unknown>[]) {
        const name = item.first_name ?? item.content ?? item.name
        if (names.has(name)) problems.push(`doubled ${path} ${name}`)
        names.add(name)
        stored.set(String(item.id), item)
      }
      cursor = page.body.next_cursor ?? null
    }
  }
  for (const [id, { path, isThere }] of ledger.records) {
    if (isThere === true && !stored.has(id)) problems.push(`lost ${path}/${id}`)
    if (isThere === false && stored.has(id)) problems.push(`came back ${path}/${id}`)
  }
  return problems
}
