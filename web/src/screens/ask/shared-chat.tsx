/** A chat that somebody shared with people who have signed in. The page of a public one is served by the service. */
import { useQuery } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { ScreenSkeleton } from '#components/skeleton.tsx'
import { kith, messageOf } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { AnswerText } from './answer-text.tsx'
import { Bubble } from './bubble.tsx'

export const sharedPath = (token: string): string => `/ask?share=${encodeURIComponent(token)}`

export function SharedChat({ token }: { token: string }) {
  const path = { token }
  const { data, error } = useQuery({
    queryKey: keys.other('chatShares', 'shared', path),
    queryFn: ({ signal }) => kith.request('GET', '/api/chats/shares/{token}', { path, signal }),
  })
  return (
    <Screen title={data?.title || 'Shared chat'}>
      {error && !data ? (
        <EmptyState icon={Link2Off} title="The chat could not be read">
          {messageOf(error)}
        </EmptyState>
      ) : !data ? (
        <ScreenSkeleton />
      ) : (
        <div className="mx-auto flex max-w-3xl flex-col gap-6 px-4 py-6">
          {data.messages.map(({ id, role, content }) =>
            role === 'user' ? (
              <Bubble key={id} text={content} />
            ) : (
              <article key={id} aria-label="Answer" className="flex flex-col gap-2 text-base leading-[22px]">
                {/* the records are those of another person, so nothing is linked */}
                <AnswerText text={content.replaceAll(/ ?\[\d{1,4}\]/g, '')} citations={[]} />
              </article>
            ),
          )}
        </div>
      )}
    </Screen>
  )
}
