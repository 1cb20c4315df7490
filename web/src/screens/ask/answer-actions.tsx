/** What can be done with an answer: copy it, ask again, say whether it helped. */
import { useMutation } from '@tanstack/react-query'
import { Copy, RefreshCw, ThumbsDown, ThumbsUp } from 'lucide-react'
import { IconButton } from '#components/button.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { classes } from '#lib/classes.ts'
import { copyText } from '#lib/copy.ts'
import type { AnswerFacts, Message } from './answers.ts'

interface AnswerActionsProps {
  message: Message
  facts: AnswerFacts
  onRegenerate: () => void
}

const RATINGS = [
  { rating: 'up', label: 'This helped', icon: ThumbsUp },
  { rating: 'down', label: 'This did not help', icon: ThumbsDown },
] as const

export function AnswerActions({ message, facts, onRegenerate }: AnswerActionsProps) {
  const rate = useRating(message, facts.feedback)
  const copy = async () => {
    await copyText(message.content)
    toast('Copied')
  }
  return (
    <div className="-ml-1.5 flex items-center gap-0.5 text-ink-3">
      <IconButton label="Copy the answer" onClick={() => void copy().catch(showError)}>
        <Copy size={14} />
      </IconButton>
      <IconButton label="Ask again" onClick={onRegenerate}>
        <RefreshCw size={14} />
      </IconButton>
      {RATINGS.map(({ rating, label, icon: Icon }) => (
        <IconButton
          key={rating}
          label={label}
          aria-pressed={facts.feedback === rating}
          className={classes(facts.feedback === rating && 'bg-accent-soft text-accent-text')}
          onClick={() => rate.mutate(rating)}
        >
          <Icon size={14} />
        </IconButton>
      ))}
      <TimeAgo time={message.created_at} className="ml-1.5 text-xs" />
    </div>
  )
}

/** The same rating again takes it back. */
function useRating({ id: message_id }: Message, current: 'up' | 'down' | undefined) {
  const path = { message_id }
  return useMutation({
    mutationFn: async (rating: 'up' | 'down') => {
      if (rating === current)
        await kith.request('DELETE', '/api/chats/messages/{message_id}/feedback', { path })
      else await kith.request('POST', '/api/chats/messages/{message_id}/feedback', { path, body: { rating } })
    },
    onSuccess: () =>
      queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'chatMessages' }),
    onError: showError,
  })
}
