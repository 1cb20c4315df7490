/** Writes the records of one set: its users sign up and are invited, and one of them writes it all down. */
import type { Running } from '../service.ts'
import type { World } from './types.ts'

export interface Written {
  id: string
  name: string
  text: string
}

export interface Filled {
  /** The service as the user sees it who asks. */
  service: Running
  /** By the keys that questions call records by. */
  records: ReadonlyMap<string, Written>
  keyOf: ReadonlyMap<string, string>
}

const PASSWORD = 'a long enough passphrase'

/** What is not known is left out of a request. */
const known = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null))

async function signUp(service: Running, world: World) {
  const [first, ...others] = world.users
  if (!first) throw new Error('somebody must sign up')
  const nobody = service.as({})
  const { access_token, account, user } = await nobody.post('/api/auth/register', {
    email: first.email,
    name: first.name,
    password: PASSWORD,
    account_name: world.account,
  })
  const asker = service.as({ authorization: `Bearer ${access_token}`, 'x-account-id': account.id })
  const users = new Map<string, string>([[first.key, user.id]])
  for (const { key, name, email } of others) {
    const { token } = await asker.post(`/api/accounts/${account.id}/invitations`, { email, role: 'member' })
    const joined = await nobody.post('/api/auth/accept-invitation', { token, name, password: PASSWORD })
    users.set(key, joined.user.id)
  }
  return { asker, users }
}

/** Custom fields, tags and the stages that an account begins with. */
async function prepare(world: World, { call, post }: Running) {
  for (const { options, ...field } of world.fields) {
    const labelled = options?.map(value => ({ value, label: value }))
    await post('/api/custom-fields', known({ ...field, options: labelled }))
  }
  const tags = new Map<string, string>()
  for (const name of world.tags) tags.set(name, (await post('/api/tags', { name })).id)
  const { items } = await call('GET', '/api/deals/pipelines')
  const present: { name: string; id: string }[] = items[0].stages
  return { tags, stages: new Map(present.map(stage => [stage.name, stage.id])) }
}

/** What it takes to write records that refer to each other by their keys. */
function pen(service: Running, users: ReadonlyMap<string, string>, tags: ReadonlyMap<string, string>) {
  const records = new Map<string, Written>()
  const idOf = (key: string | null): string | null => (key === null ? null : records.get(key)!.id)
  return {
    records,
    idOf,
    user: (key: string | null) => (key === null ? null : users.get(key)!),
    /** `said`: its name first, then what else it says. */
    async write(path: string, key: string, record: object, ...said: (string | null | undefined)[]) {
      if (records.has(key)) throw new Error(`two records are called ${key}`)
      const { id } = await service.post(path, known(record))
      records.set(key, { id, name: said[0] ?? key, text: said.filter(Boolean).join(' ') })
    },
    async tag(kind: string, key: string, names: readonly string[] | undefined) {
      if (!names) return
      const tag_ids = names.map(name => tags.get(name)!)
      await service.call('PUT', `/api/tags/records/${kind}/${idOf(key)}`, { tag_ids })
    },
  }
}
type Pen = ReturnType<typeof pen>

async function writeCustomers(world: World, { write, tag, idOf, user }: Pen) {
  for (const { key, tags, ...company } of world.companies) {
    await write('/api/companies', key, company, company.name, company.description)
    await tag('company', key, tags)
  }
  for (const { key, tags, company, owner, ...contact } of world.contacts) {
    const body = { ...contact, company_id: idOf(company), owner_id: user(owner) }
    const name = `${contact.first_name} ${contact.last_name}`
    await write('/api/contacts', key, body, name, contact.job_title)
    await tag('contact', key, tags)
  }
}

async function writeWork(world: World, { write, idOf, user }: Pen, stages: ReadonlyMap<string, string>) {
  for (const { key, company, contact, owner, stage, close, ...deal } of world.deals) {
    const body = {
      ...deal,
      company_id: idOf(company),
      stage_id: stages.get(stage),
      expected_close_date: close,
      owner_id: user(owner),
      primary_contact_id: idOf(contact),
      associated_contact_ids: contact === null ? null : [idOf(contact)],
    }
    await write('/api/deals', key, body, deal.name, deal.lost_reason)
  }
  for (const { key, contacts, companies, deals, who, day: _, ...activity } of world.activities) {
    const body = {
      ...activity,
      contact_ids: contacts.map(idOf),
      company_ids: companies.map(idOf),
      deal_ids: deals.map(idOf),
      assignee_id: user(who),
    }
    await write('/api/activities', key, body, activity.subject, activity.description, activity.outcome)
  }
}

async function writeTexts(world: World, { write, idOf }: Pen) {
  for (const { key, on, ...note } of world.notes) {
    const body = { ...note, entity_type: on?.[0], entity_id: on && idOf(on[1]) }
    await write('/api/notes', key, body, note.title ?? `note on ${on?.[1]}`, note.content)
  }
  for (const { key, ...page } of world.pages) {
    await write('/api/kb/documents', key, { type: 'page', ...page }, page.title, page.content_markdown)
  }
  for (const { key, ...template } of world.templates) {
    const body = { ...template, is_favorite: false }
    await write('/api/email-templates', key, body, template.subject, template.body_html)
  }
  for (const { key, to, ...draft } of world.drafts) {
    const { email } = world.contacts.find(contact => contact.key === to)!
    const body = { ...draft, to: [{ email }], contact_id: idOf(to) }
    await write('/api/email-drafts', key, body, draft.subject, draft.body_html)
  }
}

export async function fill(start: Running, world: World): Promise<Filled> {
  const { asker: service, users } = await signUp(start, world)
  const { tags, stages } = await prepare(world, service)
  const to = pen(service, users, tags)
  await writeCustomers(world, to)
  await writeWork(world, to, stages)
  await writeTexts(world, to)
  return { service, records: to.records, keyOf: new Map([...to.records].map(([key, { id }]) => [id, key])) }
}
