/** The messages of a chat, sending a question, and the answer while it is written. */
import type { ServerEvent } from '@kith/client'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { showError } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { refreshLists } from '#data/records.ts'
import { isPending, type Message } from './answers.ts'
import { askAgain, followAnswer, readAnswer, type Streaming, sendQuestion } from './stream.ts'

/** Messages that are read at a time, the newest first. */
const PAGE = 50

interface Page {
  items: Message[]
  next_cursor?: string | null
}

type Pages = InfiniteData<Page>

const keyOf = (chat_id: string) => keys.other('chatMessages', 'chat', { chat_id })

/** A question from the start page, for the page of the chat that it has created. */
const firstQuestions = new Map<string, Question>()

export interface Question {
  content: string
  files: readonly string[]
}

export const handOver = (chat: string, question: Question) => firstQuestions.set(chat, question)

/** In the order in which they were written; `showOlder` reads those before. */
function useMessages(chat_id: string) {
  const { data, isLoading, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: keyOf(chat_id),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      kith.request('GET', '/api/chats/{chat_id}/messages', {
        path: { chat_id },
        query: { page_size: PAGE, sort_order: 'desc', cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: page => page.next_cursor ?? undefined,
  })
  const messages = useMemo(() => data?.pages.flatMap(({ items }) => items).toReversed() ?? [], [data])
  const showOlder = hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined
  return { messages, isLoading, error, hasOlder: hasNextPage, showOlder }
}

export function useConversation(chatId: string) {
  const { messages, isLoading, error, hasOlder, showOlder } = useMessages(chatId)
  const [question, setQuestion] = useState<Question>()
  const [streaming, setStreaming] = useState<Streaming>()
  /** the text of a first question that was refused, for the field below */
  const [unsent, setUnsent] = useState('')
  /** this page reads the answer to its own question */
  const [isAsking, setAsking] = useState(false)

  const read = useCallback(
    (events: AsyncIterable<ServerEvent>) =>
      readAnswer(events, {
        onStart: () => void queryClient.invalidateQueries({ queryKey: keyOf(chatId) }),
        onProgress: setStreaming,
        onEnd: async message => {
          // a list that is on its way has the answer as it was before its end
          await queryClient.cancelQueries({ queryKey: keyOf(chatId) })
          queryClient.setQueryData<Pages>(keyOf(chatId), pages => pages && stored(pages, message))
          setStreaming(undefined)
          void queryClient.invalidateQueries({ queryKey: keyOf(chatId) })
          void queryClient.invalidateQueries({
            queryKey: keys.other('proposals', 'chat', { chat_id: chatId }),
          })
          // the first answer gives the chat its title
          void queryClient.invalidateQueries({ queryKey: keys.record('chats', chatId) })
          void refreshLists('chats')
        },
      }),
    [chatId],
  )

  /** False when it was not answered. */
  const ask = useCallback(
    async (start: () => Promise<AsyncIterable<ServerEvent>>): Promise<boolean> => {
      setAsking(true)
      try {
        await read(await start())
        return true
      } catch (problem) {
        showError(problem)
        return false
      } finally {
        setAsking(false)
        setStreaming(undefined)
        setQuestion(undefined)
      }
    },
    [read],
  )
  const send = useCallback(
    (next: Question) => {
      setQuestion(next)
      return ask(() => sendQuestion(chatId, next.content, next.files))
    },
    [chatId, ask],
  )

  useEffect(() => {
    const first = firstQuestions.get(chatId)
    if (!first) return
    firstQuestions.delete(chatId)
    void send(first).then(isSent => isSent || setUnsent(first.content))
  }, [chatId, send])

  const last = messages.at(-1)
  const unfinished = last && isPending(last) && !isAsking ? last.id : undefined
  useEffect(() => {
    if (!unfinished) return
    const stop = new AbortController()
    followAnswerOf(unfinished, stop.signal, read)
    return () => stop.abort()
  }, [unfinished, read])

  const regenerate = (id: string) => ask(() => askAgain(id))
  return {
    ...{ messages, hasOlder, showOlder, question, streaming, isLoading, error, isAsking },
    ...{ unsent, send, regenerate },
  }
}

/** A connection that is lost leaves the answer to the live updates. */
const followAnswerOf = (
  id: string,
  signal: AbortSignal,
  read: (events: AsyncIterable<ServerEvent>) => Promise<void>,
) => void read(followAnswer(id, signal)).catch(() => {})

/** The messages with the finished answer in its position. */
function stored({ pages, pageParams }: Pages, message: Message): Pages {
  const isHere = pages.some(({ items }) => items.some(({ id }) => id === message.id))
  const next = pages.map((page, index) =>
    isHere
      ? { ...page, items: page.items.map(item => (item.id === message.id ? message : item)) }
      : { ...page, items: index === 0 ? [message, ...page.items] : page.items },
  )
  return { pages: next, pageParams }
}

export const stopAnswer = (message_id: string) =>
  kith.request('POST', '/api/chats/messages/{message_id}/stop', { path: { message_id } }).catch(showError)
