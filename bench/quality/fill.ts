/** Writes the records of the two sets. */
import { TEXTS } from './second.ts'
import * as other from './second-world.ts'
import type { Running } from './service.ts'
import { activities, companies, contacts, deals, drafts, notes, pages } from './world.ts'

async function stageIds({ call, post }: Running): Promise<Map<string, string>> {
  const { items } = await call('GET', '/api/deals/pipelines')
  const { items: present } = await call('GET', `/api/deals/stages?pipeline_id=${items[0].id}&page_size=100`)
  const found = new Map<string, string>(
    present.map((stage: { name: string; id: string }) => [stage.name, stage.id]),
  )
  for (const [i, name] of ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost'].entries()) {
    if (found.has(name)) continue
    const type = name === 'Won' ? 'won' : name === 'Lost' ? 'lost' : 'open'
    const stage = { pipeline_id: items[0].id, name, type, probability: i * 15, position: 50 + i }
    found.set(name, (await post('/api/deals/stages', stage)).id)
  }
  return found
}

export async function fillFirst(service: Running): Promise<void> {
  const { post } = service
  await post('/api/custom-fields', { entity_type: 'contact', name: 'Plan', field_type: 'text' })
  const ids = new Map<string, string>()
  for (const company of companies) ids.set(company.name, (await post('/api/companies', company)).id)
  const people: string[] = []
  for (const { company, plan, ...contact } of contacts) {
    const body = { ...contact, company_id: ids.get(company), metadata: { plan } }
    people.push((await post('/api/contacts', body)).id)
  }
  const stages = await stageIds(service)
  for (const { company, stage, ...deal } of deals) {
    await post('/api/deals', { ...deal, company_id: ids.get(company), stage_id: stages.get(stage) })
  }
  for (const { contact: _, contact_index, company: __, ...activity } of activities) {
    await post('/api/activities', { ...activity, contact_ids: [people[contact_index]] })
  }
  for (const { company, ...note } of notes) {
    await post('/api/notes', { ...note, entity_type: 'company', entity_id: ids.get(company) })
  }
  for (const { company, ...draft } of drafts) {
    await post('/api/email-drafts', { ...draft, company_id: ids.get(company) })
  }
  for (const page of pages) {
    await post('/api/kb/documents', { type: 'page', title: page.title, content_markdown: page.content })
  }
}

export async function fillSecond(service: Running): Promise<void> {
  const { post } = service
  const ids = new Map<string, string>()
  for (const company of other.companies) ids.set(company.name, (await post('/api/companies', company)).id)
  const texts = (kind: string) => TEXTS.filter(text => text[0] === kind)
  const about = texts('contact')
  const people: string[] = []
  for (const { company, ...contact } of other.contacts) {
    // the first person of a company carries what is written about its people
    const own = about.findIndex(([, name]) => name === company)
    const [description] = own < 0 ? [] : about.splice(own, 1).map(text => text[2])
    people.push((await post('/api/contacts', { ...contact, company_id: ids.get(company), description })).id)
  }
  const stages = await stageIds(service)
  const told = texts('deal')
  for (const { company, stage, ...deal } of other.deals) {
    const own = told.findIndex(([, name]) => name === company)
    const [description] = own < 0 ? [] : told.splice(own, 1).map(text => text[2])
    const body = { ...deal, company_id: ids.get(company), stage_id: stages.get(stage), description }
    await post('/api/deals', body)
  }
  for (const { person, company: _, ...activity } of other.activities) {
    await post('/api/activities', { ...activity, contact_ids: [people[person]] })
  }
  for (const [, company, description] of texts('activity')) {
    const body = { type: 'other', subject: 'Log', description, company_ids: [ids.get(company)] }
    await post('/api/activities', body)
  }
  for (const [, company, content] of texts('note')) {
    await post('/api/notes', { content, entity_type: 'company', entity_id: ids.get(company) })
  }
  for (const [, title, content_markdown] of texts('kb_page')) {
    await post('/api/kb/documents', { type: 'page', title, content_markdown })
  }
  for (const [, company, body_text] of texts('email_draft')) {
    await post('/api/email-drafts', { subject: 'Hello', body_text, company_id: ids.get(company) })
  }
}

/** What each record says in its own words → its id. */
export async function idsByText({ call }: Running): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [path, field] of [
    ['notes', 'content'],
    ['activities', 'description'],
    ['deals', 'description'],
    ['contacts', 'description'],
    ['email-drafts', 'body_text'],
  ] as const) {
    const { items } = await call('GET', `/api/${path}?page_size=1000`)
    for (const item of items) if (item[field]) ids.set(item[field].trim(), item.id)
  }
  const { items } = await call('GET', '/api/kb/documents?page_size=1000&recursive=true')
  for (const { id } of items) {
    const page = await call('GET', `/api/kb/documents/${id}`)
    if (page.content_markdown) ids.set(page.content_markdown.trim(), id)
  }
  return ids
}
