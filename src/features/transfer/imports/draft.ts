/** A row of the file that has been read: the input of a record, and the names that must be looked up. */
import type { Item, RecordInput } from '../../../kernel/resource.ts'
import type { Currency } from '../../../lib/numbers/units.ts'
import type { Metadata } from '../../../resources/custom-fields/change.ts'
import type { StageType } from '../../../resources/pipelines/record.ts'
import type { RowError } from './row-values.ts'

/** Records that the row names, to be looked up: by id here or elsewhere, by name, a company also by its domain. */
export interface NamedRecords {
  ids: string[]
  externals: string[]
  names: string[]
  domain?: string
}

/** When a deal was closed, if the row has it. */
export interface Closing {
  /** the day that it was or will be closed, as products write it that have one field for both */
  day?: string
  won?: string
  lost?: string
}

export interface Draft {
  row: number
  /** verbatim */
  cells: readonly string[]
  id: string | undefined
  /** the existing record that the row changes, once that is known */
  target: string | undefined
  created_at: string | undefined
  updated_at: string | undefined
  input: Item
  metadata: Metadata | undefined
  links: Record<string, NamedRecords>
  /** the names of its tags */
  tags: string[]
  /** open, won or lost, where a product stores that apart from the stage */
  dealStatus: StageType | undefined
  closing: Closing
  /** of an activity: a day or a moment, and the time of day from a column of its own */
  due: { day?: string; moment?: string; clock?: string }
  /** the currency that the amount's own cell names */
  currency: Currency | undefined
  /** the types of the main addresses, where the file names them */
  mainTypes: { email?: string; phone?: string }
  errors: RowError[]
  /** values of the row that are not imported */
  warnings: RowError[]
  /** as the schema reads it, without the values that have to be looked up */
  ahead?: { input: RecordInput; errors: RowError[] }
}
