/** What one account can take of what all share: the queue, connections that stay open, room on the disk. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { systemDb } from '../src/kernel/context.ts'
import { newId } from '../src/kernel/ids.ts'
import { enqueueAll, jobType } from '../src/kernel/jobs.ts'
import { MAX_STREAMS } from '../src/kernel/open-streams.ts'
import { object } from '../src/kernel/schema/index.ts'
import { claim } from '../src/worker/queue.ts'
import { waitFor } from './support/process.ts'
import { type Account, contextOf, onBothEngines } from './support/service.ts'

onBothEngines('fair shares', newAccount => {
  /** A name of its own, which no worker serves. */
  async function queue(accounts: [Account, number][]) {
    const type = jobType(`fair ${newId()}`, object({}), 'jobs:write')
    for (const [account, count] of accounts)
      await enqueueAll(
        contextOf(account),
        type,
        Array.from({ length: count }, () => ({ data: {} })),
      )
    const db = systemDb(accounts[0]![0].service.services)
    const worker = newId()
    const take = async (free: number): Promise<string[]> => {
      const jobs = await claim(db, worker, [{ name: type.name, free }], 60_000)
      const order = new Map(accounts.map(([{ accountId }], i) => [accountId, 'abc'[i]!]))
      return jobs.map(job => order.get(job.account_id)!).sort()
    }
    const finish = () => sql`update jobs set status = 'completed' where worker_id = ${worker}`.execute(db)
    return { take, finish }
  }

  it('serve accounts in turn, however much one has queued', async () => {
    const [a, b, c] = [await newAccount(), await newAccount(), await newAccount()]
    const { take, finish } = await queue([
      [a, 20],
      [b, 3],
      [c, 1],
    ])
    const served: string[] = []
    for (let i = 0; i < 8; i++) {
      served.push(...(await take(1)))
      await finish()
    }
    expect(served.slice(0, 3).sort()).toEqual(['a', 'b', 'c'])
    expect(served.slice(0, 7).filter(name => name === 'b')).toHaveLength(3)
    expect(served).toHaveLength(8)
  })

  it('give free slots to the accounts with the fewest running jobs', async () => {
    const [a, b] = [await newAccount(), await newAccount()]
    const { take } = await queue([
      [a, 20],
      [b, 5],
    ])
    expect(await take(4)).toEqual(['a', 'a', 'b', 'b'])
    expect(await take(1)).toHaveLength(1)
    expect(await take(20)).toEqual([...'aaaaaaaaaaaaaaaaaa'.slice(0, 20 - 3), ...'bbb'].sort())
  })

  it('queue at most five exports of an account', async () => {
    const account = await newAccount()
    const waiting = Array.from({ length: 5 }, () => ({ id: newId(), account_id: account.accountId }))
    await sql`insert into exports (account_id, id, entity_type, format, file_name)
      select w.account_id, w.id, 'contact', 'csv', 'contacts.csv'
      from json_to_recordset(${JSON.stringify(waiting)}::json) w (id uuid, account_id uuid)`.execute(
      systemDb(account.service.services),
    )
    const refused = await account.post('/api/exports', { entity_type: 'contact' })
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: '5 exports are waiting already: try again when one has begun' },
    })
    await account.delete(`/api/exports/${waiting[0]!.id}`)
    expect((await account.post('/api/exports', { entity_type: 'contact' })).status).toBe(202)
    const other = await newAccount()
    expect((await other.post('/api/exports', { entity_type: 'contact' })).status).toBe(202)
  })

  it('open at most twenty event streams of a caller', async () => {
    const account = await newAccount()
    const type = jobType('never', object({}), 'jobs:write')
    const [job] = await enqueueAll(contextOf(account), type, [
      { data: {}, runAt: new Date(Date.now() + 3_600_000) },
    ])
    const streams: AbortController[] = []
    const open = async () => {
      const abort = new AbortController()
      streams.push(abort)
      const { signal } = abort
      const answer = await fetch(`${account.url}/api/jobs/${job}/events`, {
        headers: { 'x-api-key': account.key },
        signal,
      })
      return answer
    }
    try {
      const opened = await Promise.all(Array.from({ length: MAX_STREAMS }, open))
      expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]))
      const refused = await open()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
      expect(await refused.json()).toEqual({
        detail: `You have ${MAX_STREAMS} event streams open: close one first`,
      })
      streams[0]!.abort()
      await waitFor(async () => ((await open()).status === 200 ? true : undefined))
    } finally {
      for (const stream of streams) stream.abort()
    }
  })

  it('store files up to the limit of the account', async () => {
    const account = await newAccount()
    const { config } = account.service.services
    const upload = (path: string, name: string, bytes: number, fields: object = {}) => {
      const form = new FormData()
      form.set('file', new File(['name\n', 'x'.repeat(bytes)], name, { type: 'text/csv' }))
      for (const [key, value] of Object.entries(fields)) form.set(key, value)
      return account.call('POST', path, form)
    }
    const chat = await account.create('/api/chats', {})
    const draft = await account.create('/api/email-drafts', {})
    const limit = config.limits.storageBytes
    config.limits.storageBytes = 30_000
    try {
      const full = {
        status: 413,
        body: { detail: 'The files of this account would be larger than 30000 bytes: delete some first' },
      }
      const first = await upload('/api/imports', 'a.csv', 10_000, { entity_type: 'company' })
      expect(first.status).toBe(201)
      expect((await upload(`/api/email-drafts/${draft.id}/attachments`, 'a.txt', 10_000)).status).toBe(201)
      expect(await upload(`/api/chats/${chat.id}/attachments`, 'a.txt', 10_000)).toMatchObject(full)
      expect(await upload('/api/imports', 'b.csv', 10_000, { entity_type: 'company' })).toMatchObject(full)
      await account.delete(`/api/imports/${first.body.id}`)
      expect((await upload(`/api/chats/${chat.id}/attachments`, 'a.txt', 10_000)).status).toBe(201)
    } finally {
      config.limits.storageBytes = limit
    }
  })
})
