/** A custom field as lists see it: what a filter or an order by `cf.<key>` compares. */
import type { Schema } from './schema/index.ts'

export interface CustomColumn {
  fieldId: string
  /** how the values are stored, compared and sorted */
  kind: 'text' | 'number' | 'time'
  /** parses a filter's value */
  schema: Schema<unknown>
}

export type CustomColumns = ReadonlyMap<string, CustomColumn>
