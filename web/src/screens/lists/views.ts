/** Saved views: filters, order and columns under a name. */
import type { Schemas } from '@kith/client'
import type { FieldType } from '#data/field-types.ts'
import { FIELDS, type FieldKind } from '#data/fields.ts'
import { currentField, filtersOf, whereOf } from './filters.ts'
import { type ListState, searchOf } from './state.ts'

export type View = Schemas['View']

/** A view stores fields that can be compared: for a link, the path to the names of the linked records. */
const PATHS: Readonly<Record<string, string>> = {
  team_ids: 'team.full_name',
  company_ids: 'companies.name',
  contact_ids: 'contacts.full_name',
  deal_ids: 'deals.name',
  associated_company_ids: 'companies.name',
  associated_contact_ids: 'contacts.full_name',
  associated_deal_ids: 'deals.name',
}

/** Lists of texts, such as domains, have no path, so a view leaves them out. */
const UNSTORED: readonly FieldType[] = ['list', 'emails', 'phones']

const storedColumns = (kind: FieldKind, keys: readonly string[]): string[] => {
  const unstored = FIELDS[kind].filter(({ type }) => UNSTORED.includes(type)).map(({ key }) => key)
  return keys.filter(key => !unstored.includes(key)).map(key => PATHS[key] ?? key)
}

const columnsOf = (entity: string, stored: readonly string[]): string[] => {
  const fields = FIELDS[entity as FieldKind] ?? []
  return stored.map(path => fields.find(({ key }) => PATHS[key] === path)?.key ?? currentField(path))
}

/** The list as a view shows it. */
export function stateOfView({ id, entity, query, columns }: View): ListState {
  const filters = filtersOf(query.where)
  const [order] = query.order ?? []
  return {
    search: '',
    filters: (filters ?? []).map(filter => ({ ...filter, field: currentField(filter.field) })),
    ...(filters ? {} : { where: query.where }),
    sortBy: currentField(order?.by ?? ''),
    isDescending: order?.direction === 'desc',
    columns: columns.length > 0 ? columnsOf(entity, columns) : undefined,
    view: id,
  }
}

/** The parts of a view that a list has. */
export function viewOf(kind: FieldKind, state: ListState, columns: string[]) {
  const where = state.where ?? whereOf(state.filters)
  return {
    entity: kind,
    query: {
      entity: kind,
      ...(where ? { where } : {}),
      ...(state.sortBy
        ? {
            order: [
              { by: state.sortBy, direction: state.isDescending ? ('desc' as const) : ('asc' as const) },
            ],
          }
        : {}),
    },
    columns: storedColumns(kind, columns),
  }
}

/** Whether the list differs from its view. */
export const isChanged = (view: View, state: ListState): boolean => {
  const stored = stateOfView(view)
  const columns = state.columns ?? stored.columns
  return JSON.stringify(searchOf(stored)) !== JSON.stringify(searchOf({ ...state, search: '', columns }))
}
