import { useQuery } from '@tanstack/react-query'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { humanize } from '#lib/format.ts'

/** `contact.first_name` → Contact first name */
export const variableLabel = (name: string): string => humanize(name.replaceAll('.', ' '))

/** The variables that texts can have, such as the first name of the contact. */
export function useVariables() {
  const { data } = useQuery({
    queryKey: keys.other('emailTemplates', 'variables'),
    queryFn: ({ signal }) => kith.request('GET', '/api/email-templates/variables', { signal }),
    staleTime: 5 * 60_000,
  })
  return data?.items ?? []
}
