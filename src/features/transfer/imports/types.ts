/** The data that the steps of an import pass to each other. */
import type { RecordInput, SetResource } from '../../../kernel/resource.ts'
import type { Currencies } from './amount-currency.ts'
import type { Draft } from './draft.ts'
import type { MappedColumn } from './drafts.ts'
import type { Matches } from './lookups.ts'
import type { OnMissing } from './options.ts'

export interface Plan {
  resource: SetResource
  columns: MappedColumn[]
  /** how many columns the file has */
  width: number
  strategy: 'skip' | 'update' | 'create'
  matchOn: string[]
  onMissing: OnMissing
  /** of deals whose row names none */
  pipeline: string | undefined
  /** the resources by which records are created that rows name */
  companies: SetResource | undefined
  contacts: SetResource | undefined
  currencies: Currencies
  /** the system that the file comes from */
  source: string | undefined
  /** pipelines and stages that the file names, where missing ones are created */
  named: NamedStages[]
  families: Families | undefined
}

/** Rows of companies whose parent is another row (families.ts). */
export interface Families {
  /** one more than the largest `levelOf` */
  levels: number
  /** how many rows are above this one */
  levelOf(row: number): number
  /** Removes the parent of a row that would be its own ancestor, or too many levels deep. */
  prune(draft: Draft): void
}

/** A pipeline with the stages that rows name in it; undefined: the default one. */
export interface NamedStages {
  pipeline: string | undefined
  stages: string[]
}

export interface Existing {
  externals: ReadonlyMap<string, Matches>
  /** of the records that were found otherwise, those that have an id of the source: they are not one with another id */
  identified: ReadonlySet<string>
  states: ReadonlyMap<string, 'living' | 'trashed'>
  names: ReadonlyMap<string, Matches>
  addresses: ReadonlyMap<string, Matches>
  domains: ReadonlyMap<string, Matches>
}

export interface Reserved {
  table: 'companies' | 'contacts'
  id: string
  /** the field of the row that names it */
  field: string
  name: string
  domain: string | undefined
  /** its id in the system the file comes from */
  external: string | undefined
}

/** A row that is to be written, with its input as the schema has read it. */
export interface Write {
  draft: Draft
  /** the record that it changes; undefined makes a new one */
  target: string | undefined
  id: string
  input: RecordInput
}
