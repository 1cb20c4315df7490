/** For each collection, a body that creates a record and a change that shows in its answer. */
import type { Account } from './service.ts'

interface Example {
  body: (account: Account, n: number) => Promise<Record<string, unknown>> | Record<string, unknown>
  change: Record<string, unknown>
}

const named = (what: string): Example => ({
  body: (_, n) => ({ name: `${what} ${n}` }),
  change: { name: 'Renamed' },
})

export const examples: Record<string, Example> = {
  '/api/companies': named('Company'),
  '/api/contacts': { body: (_, n) => ({ first_name: `Person ${n}` }), change: { first_name: 'Renamed' } },
  '/api/deals': named('Deal'),
  '/api/deals/pipelines': named('Pipeline'),
  '/api/activities': {
    body: (_, n) => ({ type: 'call', subject: `Call ${n}` }),
    change: { subject: 'Renamed' },
  },
  '/api/products': named('Product'),
  '/api/notes': { body: (_, n) => ({ content: `Note ${n}` }), change: { content: 'Changed' } },
  '/api/email-templates': {
    body: (_, n) => ({ subject: `Hello ${n}`, body_html: '<p>Hello</p>' }),
    change: { subject: 'Changed' },
  },
  '/api/email-drafts': { body: (_, n) => ({ subject: `Hello ${n}` }), change: { subject: 'Changed' } },
  '/api/chats/folders': named('Folder'),
  '/api/chats': { body: (_, n) => ({ title: `Chat ${n}` }), change: { title: 'Renamed' } },
  '/api/kb/documents': {
    body: (_, n) => ({ type: 'page', title: `Page ${n}` }),
    change: { title: 'Renamed' },
  },
  '/api/favorites/folders': named('Folder'),
  '/api/favorites': {
    body: async (account, n) => ({
      entity_type: 'company',
      entity_id: (await account.create('/api/companies', { name: `Favorite ${n}` })).id,
    }),
    change: { notes: 'Because' },
  },
  '/api/custom-fields': {
    body: (_, n) => ({ entity_type: 'company', name: `Field ${n}`, field_type: 'text' }),
    change: { name: 'Renamed' },
  },
  '/api/categories': named('Category'),
  '/api/tags': named('Tag'),
}

/** Collections that have no list or no create of their own at this path; their own tests cover them. */
export const special = ['/api/deals/stages', '/api/api-keys']
