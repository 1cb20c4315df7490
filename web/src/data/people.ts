/** The members of the account, for owners and assignees; pipelines and stages. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { kith } from './client.ts'
import { keys } from './keys.ts'
import { useList } from './records.ts'
import { useSignedIn } from './session.ts'

export function useMembers() {
  const { account } = useSignedIn()
  const { data } = useQuery({
    queryKey: keys.other('members', 'all', { account_id: account.id }),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/accounts/{account_id}/members', {
        path: { account_id: account.id },
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

export function usePipelines() {
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
