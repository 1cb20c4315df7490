/** A mail as the chosen contact reads it: variables with the values of its records. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import type { Draft } from './boxes.ts'

const PAUSE_MS = 200

export type Text = Pick<Draft, 'subject' | 'body_html' | 'contact_id' | 'company_id' | 'deal_id'>

const textOf = ({ subject, body_html, contact_id, company_id, deal_id }: Text): Text => ({
  subject,
  body_html,
  contact_id,
  company_id,
  deal_id,
})

export const render = (text: Text) =>
  kith.request('POST', '/api/email-templates/preview', { body: textOf(text) })

export function usePreview(text: Text, enabled = true) {
  const key = useDebounced(JSON.stringify(textOf(text)), PAUSE_MS)
  return useQuery({
    queryKey: keys.other('emailTemplates', 'preview', { key }),
    queryFn: ({ signal }) =>
      kith.request('POST', '/api/email-templates/preview', { body: JSON.parse(key) as Text, signal }),
    enabled,
    placeholderData: keepPreviousData,
    meta: { hasOwnMessage: true },
  })
}
