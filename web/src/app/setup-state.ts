import { useQuery } from '@tanstack/react-query'
import { callSession } from '#data/session.ts'

/** Whether the service has no account yet. */
export function useSetupNeeded(): boolean {
  const { data } = useQuery({
    queryKey: ['setup'],
    queryFn: () => callSession<{ needed: boolean }>('GET', '/api/setup'),
    staleTime: 0,
  })
  return data?.needed ?? false
}
