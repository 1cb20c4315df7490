/** Erasing a person removes all their data and changes no data of others. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Account, anotherMember, onBothEngines } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { formOf } from '../transfer/imports/testing.ts'

const at = '/api/contacts'

/** Every row of the account in every table, as text. */
async function everything(client: Account): Promise<string[]> {
  const db = systemDb(client.service.services)
  const tables = await sql<{ name: string }>`select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relnamespace = 'kith'::regnamespace and c.relkind = 'r' order by 1`.execute(db)
  const lines: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: unknown }>`select to_jsonb(t) as row from ${sql.table(name)} t
      where account_id = ${client.accountId}`.execute(db)
    for (const { row } of rows) lines.push(`${name} ${JSON.stringify(row)}`)
  }
  return lines
}

const holding = (lines: string[], text: string) => lines.filter(line => line.includes(text))

/** The files of this account in the data folder. */
async function filesOf(client: Account): Promise<string[]> {
  const { dir, audioDir } = client.service.services.config.files
  const found = [dir, audioDir].map(folder => readdir(join(folder, client.accountId)).catch(() => []))
  return (await Promise.all(found)).flat()
}

/** A wav file with a second of silence. */
function silence(fields: Record<string, string>): FormData {
  const wav = Buffer.alloc(44 + 32_000)
  wav.write('RIFF')
  wav.writeUInt32LE(36 + 32_000, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(16_000, 24)
  wav.writeUInt32LE(32_000, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(32_000, 40)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([wav]), 'call.wav')
  return form
}

const SECRETS = [
  'Zaphod',
  'Beeblebrox',
  'zaphod@heart.test',
  '4242424242',
  'two heads',
  'Captain',
  'wants tea',
]

async function zaphod(client: Account) {
  const company = await client.create('/api/companies', { name: 'Sirius' })
  const key = { 'idempotency-key': newId() }
  const made = await client.post(at, { first_name: 'Zaphod', last_name: 'Beeblebrox' }, key)
  const one = `${at}/${made.body.id}`
  await client.put(one, { emails: [{ email: 'zaphod@heart.test' }], phone: '4242424242', notes: 'two heads' })
  await client.put(one, { company_id: company.id, notes: null })
  await client.put(`/api/companies/${company.id}/team/${made.body.id}`, { role: 'Captain' })
  const db = systemDb(client.service.services)
  await sql`insert into favorites (account_id, id, user_id, entity_type, entity_id, notes)
    values (${client.accountId}, ${newId()}, ${client.userId}, 'contact', ${made.body.id}, 'none')`.execute(
    db,
  )
  await sql`update favorites set notes = 'wants tea' where entity_id = ${made.body.id}`.execute(db)
  return { id: made.body.id as string, one, company, key }
}

onBothEngines('erasing a contact', account => {
  it('removes all data of the person', async () => {
    const client = await account()
    const { id, one, company } = await zaphod(client)
    const other = await client.create(at, { first_name: 'Trillian', company_id: company.id })
    await client.put(`${at}/${other.id}`, { notes: 'an astrophysicist' })
    const before = await everything(client)
    for (const secret of SECRETS) expect(holding(before, secret), secret).not.toEqual([])

    const answer = await client.post(`${one}/erase`)
    expect([answer.status, answer.body]).toEqual([200, {}])
    const after = await everything(client)
    for (const secret of SECRETS) expect(holding(after, secret), secret).toEqual([])
    expect(holding(after, 'an astrophysicist')).toHaveLength(2)

    expect((await client.get(one)).status).toBe(404)
    expect((await client.post(`${one}/restore`)).status).toBe(404)
    expect((await client.get(at)).body).toMatchObject({ total: 1, items: [{ id: other.id }] })
    expect((await client.get(`${at}?deleted=true`)).body.total).toBe(0)
    expect((await client.get(`/api/companies/${company.id}`)).body.team_ids).toEqual([
      { id: other.id, name: 'Trillian' },
    ])
    expect((await client.post(`${one}/erase`)).body).toEqual({ detail: 'Contact not found' })

    const rest = await sql<{ action: string; user_id: string }>`select action, user_id from changes
      where account_id = ${client.accountId} and kind = 'contacts' and entity_id = ${id} and action = 'erased'`.execute(
      systemDb(client.service.services),
    )
    expect(rest.rows).toEqual([{ action: 'erased', user_id: client.userId }])
  })

  it('works for a contact in the trash', async () => {
    const client = await account()
    const { one } = await zaphod(client)
    await client.delete(one)
    expect((await client.get(`${at}?deleted=true`)).body.total).toBe(1)
    expect((await client.post(`${one}/erase`)).status).toBe(200)
    expect((await client.get(`${at}?deleted=true`)).body.total).toBe(0)
    const after = await everything(client)
    for (const secret of SECRETS) expect(holding(after, secret), secret).toEqual([])
  })

  it('does not restore the person when the original request is replayed', async () => {
    const client = await account()
    const { one, key } = await zaphod(client)
    await client.post(`${one}/erase`)
    const again = await client.post(at, { first_name: 'Zaphod', last_name: 'Beeblebrox' }, key)
    expect(again.status).toBe(410)
    expect((await client.get(at)).body.total).toBe(0)
  })

  it('needs an admin of the account', async () => {
    const client = await account()
    const { one } = await zaphod(client)
    const member = await anotherMember(client, { role: 'member' })
    const refused = await member.post(`${one}/erase`)
    expect([refused.status, refused.body]).toEqual([403, { detail: 'This needs the role admin or higher' }])
    const admin = await anotherMember(client, { role: 'admin', scopes: ['contacts:read'] })
    expect((await admin.post(`${one}/erase`)).status).toBe(403)
    expect((await (await account()).post(`${one}/erase`)).status).toBe(404)
    expect((await client.get(one)).status).toBe(200)
    expect((await client.post(`${at}/${newId()}/erase`)).status).toBe(404)
    expect((await client.post(`${at}/x/erase`)).status).toBe(422)
    expect((await (await anotherMember(client, { role: 'admin' })).post(`${one}/erase`)).status).toBe(200)
  })

  it('removes the files that contain the person, and their mails', async () => {
    const client = await account()
    const upload = await client.post(
      '/api/imports',
      formOf('first_name\nZaphod\n', { entity_type: 'contact' }),
    )
    const started = await client.post(`/api/imports/${upload.body.id}/start`)
    await client.get(`/api/jobs/${started.body.job_id}/events`)
    const [{ id }] = (await client.get(at)).body.items
    const exported = await client.post('/api/exports', { entity_type: 'contact' })
    await client.get(`/api/jobs/${exported.body.job_id}/events`)
    await client.create('/api/email-drafts', { contact_id: id, subject: 'Dear Zaphod' })
    const recording = await client.post('/api/transcriptions', silence({ contact_id: id }))
    expect(recording.status).toBe(202)
    expect(await filesOf(client)).toHaveLength(3)

    expect((await client.post(`${at}/${id}/erase`)).status).toBe(200)
    await expect.poll(() => filesOf(client)).toEqual([])
    expect(holding(await everything(client), 'Zaphod')).toEqual([])
    expect((await client.get(`/api/exports/${exported.body.id}/download`)).status).toBe(404)
    expect((await client.get(`/api/transcriptions/${recording.body.id}`)).status).toBe(404)
  })

  it('empties the assistant’s answers about the person, also on share pages, and their mails', async () => {
    const client = await account()
    const { id, one } = await zaphod(client)
    const chat = await client.create('/api/chats', { title: 'About Zaphod Beeblebrox' })
    const messages = `/api/chats/${chat.id}/messages`
    const citation = { index: 1, entity_type: 'contact', entity_id: id, name: 'Zaphod Beeblebrox' }
    const answer = (content: string, metadata = {}) =>
      client.create(messages, { role: 'assistant', content, metadata })
    await client.create(messages, { role: 'user', content: 'Who is the president?' })
    const cited = await answer('He has two heads [1].', { model: 'data', citations: [citation] })
    await answer('Write to ZAPHOD@heart.test')
    await answer('It is zaphod  beeblebrox, no: Zaphod Beeblebrox.')
    const other = await answer('Trillian is an astrophysicist.', { model: 'data' })
    const { body: share } = await client.post(`/api/chats/${chat.id}/share`, { is_public: true })
    const to = (...emails: string[]) => emails.map(email => ({ email, name: 'Captain' }))
    await client.create('/api/email-drafts', { to: to('Zaphod@heart.test'), subject: 'wants tea' })
    const shared = await client.create('/api/email-drafts', {
      to: to('zaphod@heart.test', 'trillian@heart.test'),
      cc: to('zaphod@heart.test'),
      subject: 'Towel day',
    })

    expect((await client.post(`${one}/erase`)).status).toBe(200)
    const after = await everything(client)
    for (const secret of ['Zaphod', 'zaphod', 'ZAPHOD', 'two heads', 'wants tea'])
      expect(holding(after, secret), secret).toEqual([])
    const listed = (await client.get(messages)).body.items
    expect(listed.find((message: { id: string }) => message.id === cited.id)).toMatchObject({
      content: 'This answer was about a person who has been erased.',
      metadata: { model: 'data', citations: [], grounded: false },
    })
    expect(listed.find((message: { id: string }) => message.id === other.id).content).toBe(other.content)
    const page = await client.get(`/share/${share.token}`)
    expect([page.status, /zaphod|two heads/i.test(page.text)]).toEqual([200, false])
    expect((await client.get('/api/email-drafts')).body.items).toMatchObject([
      { id: shared.id, to: [{ email: 'trillian@heart.test' }], cc: [] },
    ])
  })

  it('erases the duplicates that were merged into the person, and no others', async () => {
    const client = await account()
    const { id, one } = await zaphod(client)
    const create = (first_name: string, email: string) => client.create(at, { first_name, email })
    const merge = (primary_id: string, ...secondary_ids: string[]) =>
      client.post(`${at}/merge`, { primary_id, secondary_ids })
    const second = await create('Zaph', 'zaph@heart.test')
    const third = await create('Zed', 'zed@heart.test')
    const apart = await create('Marvin', 'marvin@heart.test')
    expect((await merge(second.id, third.id)).status).toBe(200)
    expect((await merge(id, second.id)).status).toBe(200)
    const undone = await merge(id, apart.id)
    expect((await client.post(`/api/operations/${undone.body.operation_id}/undo`)).status).toBe(200)

    expect((await client.post(`${one}/erase`)).status).toBe(200)
    const after = await everything(client)
    for (const secret of [...SECRETS, 'zaph@', 'zed@', 'Zed'])
      expect(holding(after, secret), secret).toEqual([])
    expect((await client.get(`${at}?deleted=true`)).body.total).toBe(0)
    expect((await client.get(at)).body.items).toMatchObject([{ id: apart.id, email: 'marvin@heart.test' }])
  })

  it('clears the primary contact of deals', async () => {
    const client = await account()
    const { id, one } = await zaphod(client)
    const db = systemDb(client.service.services)
    const dealId = newId()
    await sql`insert into deals (account_id, id, name, currency, pipeline_id, stage_id, primary_contact_id)
      select account_id, ${dealId}, 'Heart of Gold', 'USD', pipeline_id, id, ${id} from stages
      where account_id = ${client.accountId} order by position limit 1`.execute(db)
    expect((await client.put(one, { associated_deal_ids: [dealId] })).body.associated_deal_ids).toEqual([
      { id: dealId, name: 'Heart of Gold' },
    ])
    expect((await client.post(`${one}/erase`)).status).toBe(200)
    const { rows } = await sql<{ primary_contact_id: string | null }>`select primary_contact_id from deals
      where id = ${dealId}`.execute(db)
    expect(rows).toEqual([{ primary_contact_id: null }])
  })
})
