/** What the palette lists for the text: commands, records of the search, and asking it as a question. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FOUND_KINDS } from '#app/found-kinds.ts'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { useDebounced } from '#lib/use-debounced.ts'

const SEARCH_MS = 120
const MOST_RECORDS = 12

export function useFound(text: string) {
  const q = useDebounced(text.trim(), SEARCH_MS)
  const { data, isFetching } = useQuery({
    queryKey: keys.other('search', 'palette', { q }),
    queryFn: ({ signal }) =>
      kith.request('GET', '/api/search', {
        query: { q, entity_types: FOUND_KINDS, limit: MOST_RECORDS },
        signal,
      }),
    enabled: q !== '' && FOUND_KINDS !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const isEmpty = text.trim() === ''
  return {
    records: isEmpty ? [] : (data?.items ?? []),
    isSearching: !isEmpty && (isFetching || q !== text.trim()),
  }
}

/** The question that was asked last, and its answer. Typing again returns to the list. */
export function useQuestion() {
  const [question, setQuestion] = useState('')
  const { mutate, data, error, reset } = useMutation({
    mutationFn: (asked: string) => kith.request('POST', '/api/search/ask', { body: { question: asked } }),
  })
  return {
    question,
    answer: data,
    error,
    // not `isPending`, which is true one render after the question is set
    isAnswering: question !== '' && !data && !error,
    ask: (text: string) => {
      setQuestion(text)
      mutate(text)
    },
    clear: () => {
      setQuestion('')
      reset()
    },
  }
}
