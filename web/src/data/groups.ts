/** The groups of the typed client by name, with the types of their records. */
import type { Kith, Schemas } from '@kith/client'
import { kith } from './client.ts'

type Names<Method extends string> = {
  [G in keyof Kith]: Kith[G] extends Record<Method, (...args: never[]) => unknown> ? G : never
}[keyof Kith]

export type ListGroup = Names<'list'> & Names<'get'>
export type WriteGroup = ListGroup & Names<'create'> & Names<'update'> & Names<'delete'> & Names<'restore'>
/** The groups with `query`, `bulkUpdate` and `bulkDelete`. */
export type RecordGroup = WriteGroup & Names<'query'> & Names<'bulkUpdate'> & Names<'bulkDelete'>

type Parameter<F, N extends number> = F extends (...args: infer A) => unknown ? A[N] : never
type Result<F> = F extends (...args: never[]) => Promise<infer R> ? R : never

export type ListQuery<G extends ListGroup> = Omit<
  NonNullable<Parameter<Kith[G]['list'], 0>>,
  'page' | 'cursor'
>
export type RecordOf<G extends ListGroup> = Result<Kith[G]['get']>
export type CreateOf<G extends WriteGroup> = Parameter<Kith[G]['create'], 0>
export type UpdateOf<G extends WriteGroup> = Parameter<Kith[G]['update'], 1>

export interface Page<T> {
  items: T[]
  total: number
  next_cursor?: string | null
}

export interface Methods<T> {
  list(query: object, options?: object): Promise<Page<T>>
  get(id: string, options?: object): Promise<T>
  timeline(id: string, options?: object): Promise<Page<Schemas['TimelineEntry']>>
  create(record: unknown): Promise<T>
  update(id: string, changes: unknown): Promise<T>
  patch(id: string, changes: unknown, options?: object): Promise<T>
  delete(id: string): Promise<void>
  restore(id: string): Promise<T>
  query(query: object, options?: object): Promise<Page<T>>
  bulkUpdate(body: object): Promise<{ updated: number; operation_id: string }>
}

/**
 * The methods of a group whose name is a variable. TypeScript cannot call a union of methods, so this is the one
 * place that casts; the hooks give their callers the exact types.
 */
export const methodsOf = <T>(group: ListGroup): Methods<T> => kith[group] as unknown as Methods<T>

/** `entity_type` of events, tags, favorites and custom fields ↔ the group. */
export const GROUP_OF_KIND = {
  contact: 'contacts',
  company: 'companies',
  deal: 'deals',
  activity: 'activities',
  product: 'products',
  note: 'notes',
} as const satisfies Record<string, RecordGroup>

export type Kind = keyof typeof GROUP_OF_KIND
export type KindGroup = (typeof GROUP_OF_KIND)[Kind]

export const kindOf = (group: KindGroup): Kind =>
  (Object.keys(GROUP_OF_KIND) as Kind[]).find(kind => GROUP_OF_KIND[kind] === group) as Kind
