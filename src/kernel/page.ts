/** Pages of lists other than lists of records, which have list-parameters.ts and list-query.ts. */
import type { Page } from './resource.ts'
import { int, list, type Schema, withDefault } from './schema/index.ts'

export const pageParameters = ({ max = 1000, usual = 50 }: { max?: number; usual?: number } = {}) => ({
  page: withDefault(int({ min: 1 }), 1),
  page_size: withDefault(int({ min: 1, max }), usual),
})

export const pageFields = <T>(item: Schema<T>) => ({
  items: list(item),
  total: int({ min: 0 }),
  page: int({ min: 1 }),
  page_size: int({ min: 1 }),
  total_pages: int({ min: 0 }),
})

export const asPage = <T>(items: T[], total: number, page: number, page_size: number): Page<T> => ({
  items,
  total,
  page,
  page_size,
  total_pages: Math.ceil(total / page_size),
})
