/**
 * The members of the account, for owners and assignees, and its pipelines with their stages. The shell reads them once:
 * a table shows them in hundreds of cells, each of which would otherwise watch the cache.
 */
import type { Schemas } from '@kith/client'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { kith, queryClient } from './client.ts'
import { keys } from './keys.ts'
import { useList } from './records.ts'

interface People {
  members: Schemas['Member'][]
  byId: ReadonlyMap<string, Schemas['Member']>
}

interface Pipelines {
  pipelines: Schemas['Pipeline'][]
  stages: Schemas['Stage'][]
  pipelineById: ReadonlyMap<string, Schemas['Pipeline']>
  stageById: ReadonlyMap<string, Schemas['Stage']>
}

const PeopleContext = createContext<People>({ members: [], byId: new Map() })
const PipelinesContext = createContext<Pipelines>({
  pipelines: [],
  stages: [],
  pipelineById: new Map(),
  stageById: new Map(),
})

export const useMembers = (): People => useContext(PeopleContext)
export const usePipelines = (): Pipelines => useContext(PipelinesContext)

/** Reads the members again after one of them was changed, invited or removed. */
export const refreshMembers = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'members' })

function usePeople(account_id: string): People {
  const { data } = useQuery({
    queryKey: keys.other('members', 'all', { account_id }),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/accounts/{account_id}/members', {
        path: { account_id },
        query: { page_size: 1000 },
        signal,
      }),
    staleTime: 5 * 60_000,
  })
  const items = data?.items
  return useMemo(() => {
    const members = items ?? []
    return { members, byId: new Map(members.map(member => [member.user_id, member])) }
  }, [items])
}

function useStages(): Pipelines {
  const { items } = useList('pipelines', { page_size: 1000 })
  return useMemo(() => {
    const stages = items.flatMap(pipeline => pipeline.stages)
    return {
      pipelines: items,
      stages,
      stageById: new Map(stages.map(stage => [stage.id, stage])),
      pipelineById: new Map(items.map(pipeline => [pipeline.id, pipeline])),
    }
  }, [items])
}

/** Around everything inside the shell. */
export function PeopleProvider({ account, children }: { account: string; children: ReactNode }) {
  return (
    <PeopleContext value={usePeople(account)}>
      <PipelinesContext value={useStages()}>{children}</PipelinesContext>
    </PeopleContext>
  )
}
