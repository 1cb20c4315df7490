/** The state of a list in its address: search, filters, order, columns, the saved view. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListGroupName } from '#app/router.tsx'
import { currentField, type Filter, filtersOf, whereOf } from './filters.ts'

export interface ListState {
  search: string
  filters: Filter[]
  /** a condition of a saved view or link that chips cannot show */
  where?: Record<string, unknown> | undefined
  sortBy: string
  isDescending: boolean
  /** the keys of the columns in order; undefined: those that the person used last */
  columns: string[] | undefined
  view: string | undefined
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** The parameters are `q`, `where` (a condition of a Query), `sort` (`-amount` descends), `cols` and `view`. */
export function parseSearch(search: Record<string, unknown>): ListState {
  const filters = filtersOf(search.where)
  const sort = text(search.sort)
  return {
    search: text(search.q),
    filters: (filters ?? []).map(filter => ({ ...filter, field: currentField(filter.field) })),
    ...(filters ? {} : { where: search.where as Record<string, unknown> }),
    sortBy: currentField(sort.replace(/^-/, '')),
    isDescending: sort.startsWith('-'),
    columns: search.cols ? text(search.cols).split(',') : undefined,
    view: search.view ? text(search.view) : undefined,
  }
}

export function searchOf(state: ListState): Record<string, unknown> {
  const where = state.where ?? whereOf(state.filters)
  return {
    ...(state.search ? { q: state.search } : {}),
    ...(where ? { where } : {}),
    ...(state.sortBy ? { sort: `${state.isDescending ? '-' : ''}${state.sortBy}` } : {}),
    ...(state.columns ? { cols: state.columns.join(',') } : {}),
    ...(state.view ? { view: state.view } : {}),
  }
}

/** The body of `POST /api/<group>/query`, without the page. */
export function queryOf(state: ListState): Record<string, unknown> {
  const where = state.where ?? whereOf(state.filters)
  return {
    ...(state.search ? { search: state.search } : {}),
    ...(where ? { where } : {}),
    ...(state.sortBy ? { sort_by: state.sortBy, sort_order: state.isDescending ? 'desc' : 'asc' } : {}),
  }
}

/** `isStep` and a search, which is typed, add no entry to the history. */
export type ChangeState = (changes: Partial<ListState>, isStep?: boolean) => void

export function useListState(): { group: ListGroupName; state: ListState; change: ChangeState } {
  const { group } = useParams({ from: '/app/$group' })
  const search = useSearch({ from: '/app/$group' })
  const navigate = useNavigate()
  const state = useMemo(() => parseSearch(search), [search])
  const change: ChangeState = (changes, isStep = 'search' in changes) =>
    void navigate({
      to: '/$group',
      params: { group },
      search: searchOf({ ...state, ...changes }),
      replace: isStep,
    })
  return { group: group as ListGroupName, state, change }
}
