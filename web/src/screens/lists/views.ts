/** Saved views: filters, order and columns under a name. */
import type { Schemas } from '@kith/client'
import type { Kind } from '#data/groups.ts'
import { filtersOf, whereOf } from './filters.ts'
import { type ListState, searchOf } from './state.ts'

export type View = Schemas['View']

/** The list as a view shows it. */
export function stateOfView({ id, query, columns }: View): ListState {
  const filters = filtersOf(query.where)
  const [order] = query.order ?? []
  return {
    search: '',
    filters: filters ?? [],
    ...(filters ? {} : { where: query.where }),
    sortBy: order?.by ?? '',
    isDescending: order?.direction === 'desc',
    columns: columns.length > 0 ? columns : undefined,
    view: id,
  }
}

/** The parts of a view that a list has. */
export function viewOf(kind: Kind, state: ListState, columns: string[]) {
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
    columns,
  }
}

/** Whether the list differs from its view. */
export const isChanged = (view: View, state: ListState): boolean => {
  const stored = stateOfView(view)
  const columns = state.columns ?? stored.columns
  return JSON.stringify(searchOf(stored)) !== JSON.stringify(searchOf({ ...state, search: '', columns }))
}
