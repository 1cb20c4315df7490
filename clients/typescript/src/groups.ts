/** The groups of records: one table of paths; the methods of each follow from the operations in the document. */
import { read } from './answer.ts'
import { KithError } from './errors.ts'
import { items } from './pages.ts'
import type { Send } from './send.ts'
import type { Answer, Body, CallOptions, ItemOf, Operation, Path, Query, Schemas } from './types.ts'

export const groupPaths = {
  companies: '/api/companies',
  contacts: '/api/contacts',
  deals: '/api/deals',
  pipelines: '/api/deals/pipelines',
  stages: '/api/deals/stages',
  products: '/api/products',
  activities: '/api/activities',
  notes: '/api/notes',
  files: '/api/files',
  emailTemplates: '/api/email-templates',
  emailDrafts: '/api/email-drafts',
  chats: '/api/chats',
  chatFolders: '/api/chats/folders',
  chatMessages: '/api/chats/messages',
  documents: '/api/kb/documents',
  favorites: '/api/favorites',
  favoriteFolders: '/api/favorites/folders',
  customFields: '/api/custom-fields',
  categories: '/api/categories',
  tags: '/api/tags',
  views: '/api/views',
  imports: '/api/imports',
  exports: '/api/exports',
  transcriptions: '/api/transcriptions',
  jobs: '/api/jobs',
  operations: '/api/operations',
  webhooks: '/api/webhooks',
  apiKeys: '/api/api-keys',
  accounts: '/api/accounts',
} as const

/** `/api/companies/{company_id}`: the path of one record. */
type ItemPath<P extends string> = Exclude<Extract<Path, `${P}/{${string}}`>, `${P}/{${string}}/${string}`>
type OnItem<P extends string, M extends 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'> = Operation<
  M,
  ItemPath<P>
>

type If<O, F> = [O] extends [never] ? never : F
/** Conditions alone give a page; these keys give figures. */
type FigureKey = 'measure' | 'group_by' | 'having' | 'order' | 'limit'
type Figures = Schemas['QueryResult']
type Found<O, B> = Extract<keyof B, FigureKey> extends never ? Exclude<Answer<O>, Figures> : Figures

type Reading<P extends string, List = Operation<'GET', P>, One = OnItem<P, 'GET'>> = {
  list: If<List, (query?: Query<List>, options?: CallOptions) => Promise<Answer<List>>>
  all: Query<List> extends { cursor?: string }
    ? (
        query?: Omit<Query<List>, 'page' | 'cursor'>,
        options?: CallOptions,
      ) => AsyncGenerator<ItemOf<Answer<List>>>
    : never
  get: If<One, (id: string, options?: CallOptions) => Promise<Answer<One>>>
  timeline: Action<'GET', `${ItemPath<P>}/timeline`>
  query: If<
    Operation<'POST', `${P}/query`>,
    <const B extends Body<Operation<'POST', `${P}/query`>>>(
      query: B,
      options?: CallOptions,
    ) => Promise<Found<Operation<'POST', `${P}/query`>, B>>
  >
}

type Writing<P extends string, Put = OnItem<P, 'PUT'>, Patch = OnItem<P, 'PATCH'>> = {
  create: Post<Operation<'POST', P>>
  update: If<Put, (id: string, changes: Body<Put>, options?: CallOptions) => Promise<Answer<Put>>>
  patch: If<Patch, (id: string, changes: Body<Patch>, options?: CallOptions) => Promise<Answer<Patch>>>
  edit: If<
    Put,
    (
      id: string,
      change: (record: Answer<OnItem<P, 'GET'>>) => Body<Put> | Promise<Body<Put>>,
      options?: Omit<CallOptions, 'ifMatch'>,
    ) => Promise<Answer<Put>>
  >
  delete: If<OnItem<P, 'DELETE'>, (id: string, options?: CallOptions) => Promise<void>>
  restore: Action<'POST', `${ItemPath<P>}/restore`>
  upsert: If<
    Operation<'POST', `${P}/upsert`>,
    (
      record: Body<Operation<'POST', `${P}/upsert`>>,
      query: Query<Operation<'POST', `${P}/upsert`>>,
      options?: CallOptions,
    ) => Promise<Answer<Operation<'POST', `${P}/upsert`>>>
  >
  batch: Post<Operation<'POST', `${P}/batch`>>
  bulkUpdate: Post<Operation<'POST', `${P}/bulk-update`>>
  bulkDelete: Post<Operation<'POST', `${P}/bulk-delete`>>
  merge: Post<Operation<'POST', `${P}/merge`>>
}

type Post<O> = If<O, (body: Body<O>, options?: CallOptions) => Promise<Answer<O>>>
type Action<M extends 'GET' | 'POST', P, O = Operation<M, P>> = If<
  O,
  (id: string, options?: CallOptions & { query?: Query<O> }) => Promise<Answer<O>>
>

type Present<T> = { [K in keyof T as [T[K]] extends [never] ? never : K]: T[K] }
export type Group<P extends string> = Present<Reading<P> & Writing<P>>
export type Groups = { readonly [N in keyof typeof groupPaths]: Group<(typeof groupPaths)[N]> }

/** How often `edit` reads the record again because another writer was faster. */
const EDIT_ATTEMPTS = 10

/** Has every method; the types offer those that the document has. */
function group(send: Send, base: string) {
  const call = async (method: string, path: string, body?: unknown, options: object = {}) =>
    read(await send(method, path, { ...options, body }))
  const item = (id: string, action = '') => {
    if (!id) throw new TypeError(`${base} needs an id`)
    return `${base}/${encodeURIComponent(id)}${action}`
  }
  const post = (action: string) => (body: unknown, options?: CallOptions) =>
    call('POST', base + action, body, options)
  const get = (id: string, options?: CallOptions) => call('GET', item(id), undefined, options)
  const update = (id: string, changes: unknown, options?: CallOptions) =>
    call('PUT', item(id), changes, options)

  return {
    list: (query?: object, options?: CallOptions) => call('GET', base, undefined, { ...options, query }),
    all: (query?: object, options?: CallOptions) => items(send, base, { ...options, query }),
    get,
    timeline: (id: string, options?: CallOptions) => call('GET', item(id, '/timeline'), undefined, options),
    query: post('/query'),
    create: post(''),
    update,
    patch: (id: string, changes: unknown, options?: CallOptions) =>
      call('PATCH', item(id), changes, { ...options, contentType: 'application/merge-patch+json' }),
    async edit(id: string, change: (record: unknown) => unknown, options?: CallOptions) {
      for (let attempt = 1; ; attempt++) {
        const record = await get(id, options)
        try {
          return await update(id, await change(record), { ...options, ifMatch: record as object })
        } catch (error) {
          if (!(error instanceof KithError) || error.status !== 412 || attempt === EDIT_ATTEMPTS) throw error
        }
      }
    },
    async delete(id: string, options?: CallOptions) {
      try {
        await call('DELETE', item(id), undefined, options)
      } catch (error) {
        // The attempt whose answer was lost has deleted it.
        if (!(error instanceof KithError) || error.status !== 404 || !error.isRepeat) throw error
      }
    },
    restore: (id: string, options?: CallOptions) => call('POST', item(id, '/restore'), undefined, options),
    upsert: (record: unknown, query: object, options?: CallOptions) =>
      call('POST', `${base}/upsert`, record, { ...options, query }),
    batch: post('/batch'),
    bulkUpdate: post('/bulk-update'),
    bulkDelete: post('/bulk-delete'),
    merge: post('/merge'),
  }
}

export function groupsOf(send: Send): Groups {
  const entries = Object.entries(groupPaths).map(([name, path]) => [name, group(send, path)])
  return Object.fromEntries(entries) as Groups
}
