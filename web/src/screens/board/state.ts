/** The state of the board in its address: the pipeline and the filters. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { useSignedIn } from '#data/session.ts'

/** Deals of a column; a longer column leads to the list. */
const LIMIT = 50

export interface BoardState {
  pipeline: string | undefined
  search: string
  isMine: boolean
  isRotten: boolean
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export function useBoardState() {
  const search: Record<string, unknown> = useSearch({ from: '/app/board' })
  const navigate = useNavigate()
  const state: BoardState = {
    pipeline: text(search.pipeline),
    search: text(search.q) ?? '',
    isMine: search.mine === true,
    isRotten: search.rotten === true,
  }
  const change = (changes: Partial<BoardState>) => {
    const next = { ...state, ...changes }
    const parameters: Record<string, unknown> = {
      ...(next.pipeline ? { pipeline: next.pipeline } : {}),
      ...(next.search ? { q: next.search } : {}),
      ...(next.isMine ? { mine: true } : {}),
      ...(next.isRotten ? { rotten: true } : {}),
    }
    void navigate({ to: '/board', search: parameters, replace: 'search' in changes })
  }
  return { state, change }
}

export function useBoard({ pipeline, search, isMine, isRotten }: BoardState) {
  const { user } = useSignedIn()
  const query = {
    limit: LIMIT,
    ...(pipeline ? { pipeline_id: pipeline } : {}),
    ...(search ? { search } : {}),
    ...(isMine ? { owner_id: user.id } : {}),
    ...(isRotten ? { is_rotten: true } : {}),
  }
  return useQuery({
    queryKey: keys.other('deals', 'board', query),
    queryFn: ({ signal }) => kith.request('GET', '/api/deals/board', { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** With filters, positions on the screen differ from those in the column, so a move changes only the stage. */
export const isFiltered = ({ search, isMine, isRotten }: BoardState): boolean =>
  search !== '' || isMine || isRotten
