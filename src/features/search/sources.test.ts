import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Account, type Item, onAnyEngine } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import type { Indexer } from './indexer.ts'
import { beginHere, indexed, names, search, traces } from './testing.ts'

const audio = join(import.meta.dirname, '../../../test/fixtures/audio/call.mp3')

async function recording(account: Account, fields: Record<string, string>): Promise<string> {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new Blob([new Uint8Array(readFileSync(audio))]), 'talk.mp3')
  const { body } = await account.post('/api/transcriptions', form)
  expect((await account.get(`/api/transcriptions/${body.id}/events`)).text).toContain('event: end')
  return body.id
}

onAnyEngine('search sources', (newAccount, kind) => {
  let account: Account
  let indexer: Indexer
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    indexer = await beginHere(kind)
    account = await newAccount()
    const add = async (name: string, path: string, body: object) => {
      ids[name] = (await account.create(path, body)).id
    }
    await account.create('/api/custom-fields', {
      entity_type: 'contact',
      name: 'Shoe size',
      field_type: 'text',
    })
    await add('company', '/api/companies', { name: 'Acme Robotics', industry: 'Welding' })
    await add('contact', '/api/contacts', {
      first_name: 'Quirina',
      last_name: 'Vandersloot',
      company_id: ids.company,
      metadata: { shoe_size: 'fortytwo' },
      categories: ['Philately'],
    })
    await add('deal', '/api/deals', {
      name: 'Gripper order',
      next_step: 'haggling',
      company_id: ids.company,
      associated_contact_ids: [ids.contact],
    })
    await add('activity', '/api/activities', {
      type: 'call',
      subject: 'Sounding',
      description: 'They mused about zeppelins.',
      contact_ids: [ids.contact],
    })
    await add('note', '/api/notes', {
      title: 'Remark',
      content: 'Likes marzipan.',
      entity_type: 'contact',
      entity_id: ids.contact,
    })
    await add('kb_page', '/api/kb/documents', {
      type: 'page',
      title: 'Customs',
      content_markdown: 'Bring **galoshes**.',
    })
    await add('email_template', '/api/email-templates', {
      subject: 'Greeting',
      body_html: '<p>With our <b>felicitations</b></p>',
    })
    await add('email_draft', '/api/email-drafts', {
      subject: 'Reply',
      body_html: '<p>About the xylophones</p>',
      to: [{ email: 'q@acme.test', name: 'Quirina' }],
      contact_id: ids.contact,
    })
    await add('product', '/api/products', {
      name: 'Torque wrench',
      sku: 'TQ-77X',
      description: 'With a ratchet of vanadium.',
    })
    await add('chat', '/api/chats', { title: 'Musings' })
    const said = await account.create(`/api/chats/${ids.chat}/messages`, {
      content: 'Tell me about ocelots',
      respond: false,
    })
    ids.chat_message = said.id
    ids.transcription = await recording(account, { contact_id: ids.contact! })
    const tag = await account.create('/api/tags', { name: 'Juggernaut' })
    await account.put(`/api/tags/records/note/${ids.note}`, { tag_ids: [tag.id] })
    await indexed(account, true)
  })
  afterAll(() => indexer.stop())

  const typesOf = async (query: string) =>
    (await search(account, query, { mode: 'keyword' })).body.items.map(
      (item: { entity_type: string }) => item.entity_type,
    )

  it.each([
    ['welding', ['company']],
    ['fortytwo', ['contact']],
    ['philately', ['contact']],
    ['haggling', ['deal']],
    ['zeppelins', ['activity']],
    ['marzipan', ['note']],
    ['juggernaut', ['note']],
    ['galoshes', ['kb_page']],
    ['felicitations', ['email_template']],
    ['xylophones', ['email_draft']],
    ['ocelots', ['chat_message']],
    ['renewal of the contract', ['transcription']],
    ['lead', ['deal']],
    ['vanadium', ['product']],
    ['TQ-77X', ['product']],
    ['vandersloot', ['contact', 'company', 'deal', 'activity', 'note', 'email_draft', 'transcription']],
  ])('finds %s', async (query, types) => {
    const found = await typesOf(query)
    expect(found[0]).toBe(types[0])
    expect([...found].sort()).toEqual([...types].sort())
  })

  it.each([
    ['company', 'companies', 'welding'],
    ['deal', 'deals', 'haggling'],
    ['activity', 'activities', 'zeppelins'],
    ['note', 'notes', 'marzipan'],
    ['product', 'products', 'vanadium'],
    ['kb_page', 'kb/documents', 'galoshes'],
    ['email_template', 'email-templates', 'felicitations'],
    ['email_draft', 'email-drafts', 'xylophones'],
    ['chat', 'chats', 'ocelots'],
    ['transcription', 'transcriptions', 'renewal contract'],
  ])('hides a deleted %s at once and finds it again when it is restored', async (name, group, query) => {
    const before = await typesOf(query)
    await account.delete(`/api/${group}/${ids[name]}`)
    expect(await typesOf(query)).toEqual([])
    await account.post(`/api/${group}/${ids[name]}/restore`)
    await indexed(account)
    expect(await typesOf(query)).toEqual(before)
  })

  it('updates records that show a renamed record', async () => {
    await account.put(`/api/activities/${ids.activity}`, { subject: 'Plumbing' })
    const note = { title: 'Minutes', content: 'Short.', entity_type: 'activity', entity_id: ids.activity }
    await account.create('/api/notes', note)
    await indexed(account)
    expect((await typesOf('plumbing')).sort()).toEqual(['activity', 'note'])
    await account.put(`/api/activities/${ids.activity}`, { subject: 'Carpentry' })
    await indexed(account)
    expect(await typesOf('plumbing')).toEqual([])
    expect((await typesOf('carpentry')).sort()).toEqual(['activity', 'note'])
  })

  it('finds a deal by its lost reason while its stage is a lost one', async () => {
    const stages: Item[] = (await account.get('/api/deals/stages')).body.items
    const lost = stages.find(({ type }) => type === 'lost')!
    const deal = { name: 'Barge', stage_id: lost.id, lost_reason: 'Drizzle' }
    const { id } = await account.create('/api/deals', deal)
    const found = async (type: string) => {
      await account.put(`/api/deals/stages/${lost.id}`, { type })
      await indexed(account)
      return typesOf('drizzle')
    }
    expect(await found('lost')).toEqual(['deal'])
    expect(await found('won')).toEqual([])
    expect(await found('lost')).toEqual(['deal'])
    await account.delete(`/api/deals/${id}`)
  })

  it('finds records linked to contacts and deals by the name of their company, also after it moved', async () => {
    const found = async (query: string) => (await typesOf(query)).sort()
    const ofQuirina = ['activity', 'email_draft', 'note', 'transcription']
    const note = { title: 'Haste', content: 'Wanted soon.', entity_type: 'deal', entity_id: ids.deal }
    ids.haste = (await account.create('/api/notes', note)).id
    await account.put(`/api/companies/${ids.company}`, { name: 'Borealis Robotics' })
    await indexed(account)
    expect(await found('borealis')).toEqual(['company', 'contact', 'deal', ...ofQuirina, 'note'].sort())

    const other = await account.create('/api/companies', { name: 'Zenith Robotics' })
    await account.put(`/api/deals/${ids.deal}`, { company_id: other.id })
    await indexed(account)
    expect(await found('zenith')).toEqual(['company', 'deal', 'note'])
    await account.put(`/api/contacts/${ids.contact}`, { company_id: other.id })
    await indexed(account)
    expect(await found('zenith')).toEqual(
      expect.arrayContaining(['company', 'contact', 'deal', ...ofQuirina, 'note']),
    )
    // the deal is still linked to this company, too
    expect(await found('borealis')).toEqual(['company', 'deal', 'note'])

    await account.delete(`/api/notes/${ids.haste}`)
    await account.put(`/api/deals/${ids.deal}`, { company_id: ids.company })
    await account.put(`/api/contacts/${ids.contact}`, { company_id: ids.company })
    await account.put(`/api/companies/${ids.company}`, { name: 'Acme Robotics' })
    await indexed(account)
  })

  it('removes an erased person at once, also where only the name was shown', async () => {
    expect(await traces(account, 'vandersloot')).toBeGreaterThan(5)
    await indexer.stop()
    await account.post(`/api/contacts/${ids.contact}/erase`)
    expect(await traces(account, 'vandersloot')).toBe(0)
    expect(await traces(account, 'fortytwo')).toBe(0)
    const orphans = await sql<{ count: number }>`select count(*) as count from search_vectors v
      where v.account_id = ${account.accountId} and not exists (
        select from search_passages p where p.account_id = v.account_id and p.id = v.passage_id)`.execute(
      systemDb(account.service.services),
    )
    expect(orphans.rows[0]!.count).toBe(0)

    indexer = await beginHere(kind)
    await indexed(account)
    expect(await traces(account, 'vandersloot')).toBe(0)
    expect(names(await search(account, 'marzipan', { mode: 'keyword' }))).toEqual(['Remark'])
    expect(names(await search(account, 'welding', { mode: 'keyword' }))).toEqual(['Acme Robotics'])
  })

  it('removes an erased recording', async () => {
    await sql`delete from transcriptions where account_id = ${account.accountId}`.execute(
      systemDb(account.service.services),
    )
    expect(await traces(account, 'renewal')).toBe(0)
  })
})
