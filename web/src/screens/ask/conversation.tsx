/** A chat: its questions and answers, and where the next one is written. */
import { MessageCircleQuestion, SearchX } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { messageOf } from '#data/client.ts'
import { Answer, GrowingAnswer } from './answer.tsx'
import { filesOf, isPending, type Message } from './answers.ts'
import { type Attachment, AttachmentChip, useAttachments } from './attachments.tsx'
import { Bubble } from './bubble.tsx'
import { Composer } from './composer.tsx'
import { ProposalCard, useProposals } from './proposals.tsx'
import { stopAnswer, useConversation } from './use-conversation.ts'

export function Conversation({ chatId }: { chatId: string }) {
  const chat = useConversation(chatId)
  const { messages, question, streaming, isAsking, error, isLoading } = chat
  const proposals = useProposals(chatId)
  const attachments = useAttachments(chatId)
  const last = messages.at(-1)?.id ?? ''
  const end = useFollowing(`${last} ${question?.content ?? ''} ${streaming?.text.length ?? 0}`)
  const scroller = useSteady(messages[0]?.id)
  const shown = messages.filter(({ role }) => role === 'user' || role === 'assistant')
  const growing = shown.at(-1)
  const pending = growing && isPending(growing) ? growing.id : undefined
  // the question is on the screen at once, and once only
  const isStored = question && messages.findLast(({ role }) => role === 'user')?.content === question.content
  return (
    <div className="flex h-full min-w-0 flex-1 flex-col">
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none] scroll-thin"
        tabIndex={-1}
      >
        <div className="mx-auto flex max-w-3xl flex-col gap-6 px-4 py-6">
          {chat.hasOlder && <Older onShow={chat.showOlder} />}
          {error && messages.length === 0 && (
            <EmptyState icon={SearchX} title="The chat could not be read">
              {messageOf(error)}
            </EmptyState>
          )}
          {isLoading && <ConversationSkeleton />}
          {!isLoading && !error && shown.length === 0 && !question && (
            <EmptyState icon={MessageCircleQuestion} title="No questions yet">
              Ask something below. Answers name the records that they are from.
            </EmptyState>
          )}
          {shown.map(message =>
            message.role === 'user' ? (
              <QuestionBubble key={message.id} message={message} attachments={attachments} />
            ) : isPending(message) ? (
              <GrowingAnswer key={message.id} streaming={streaming} />
            ) : (
              <div key={message.id} className="flex flex-col gap-3">
                <Answer message={message} onRegenerate={() => void chat.regenerate(message.id)} />
                {proposals.get(message.id)?.map(proposal => (
                  <ProposalCard key={proposal.id} proposal={proposal} />
                ))}
              </div>
            ),
          )}
          {question && !isStored && <Bubble text={question.content} />}
          {isAsking && !pending && <GrowingAnswer streaming={streaming} />}
          <div ref={end} />
        </div>
      </div>
      <div className="mx-auto w-full max-w-3xl shrink-0 px-4 pb-4">
        <Composer
          chatId={chatId}
          createChat={async () => chatId}
          unsent={chat.unsent}
          isAnswering={isAsking || pending !== undefined}
          onSend={chat.send}
          onStop={pending ? () => void stopAnswer(pending) : undefined}
        />
      </div>
    </div>
  )
}

/** An element at the end that stays in sight while the content grows. */
function useFollowing(content: string) {
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content has grown
  useEffect(() => {
    void end.current?.scrollIntoView({ block: 'end' })
  }, [content])
  return end
}

/** The scroller of the chat, in which the messages stay where they are when older ones appear above them. */
function useSteady(first: string | undefined) {
  const scroller = useRef<HTMLDivElement>(null)
  const before = useRef({ first, height: 0 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const { first: old, height } = before.current
    if (old !== undefined && old !== first) element.scrollTop += element.scrollHeight - height
    before.current = { first, height: element.scrollHeight }
  })
  return scroller
}

/** Reads older messages as soon as the person scrolls to it. */
function Older({ onShow }: { onShow: (() => void) | undefined }) {
  const button = useRef<HTMLButtonElement>(null)
  const show = useRef(onShow)
  show.current = onShow
  useEffect(() => {
    const element = button.current
    if (!element || !onShow) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && show.current?.())
    observer.observe(element)
    return () => observer.disconnect()
  }, [onShow])
  return (
    <Button
      ref={button}
      variant="ghost"
      size="sm"
      className="self-center"
      disabled={!onShow}
      onClick={onShow}
    >
      Older messages
    </Button>
  )
}

interface QuestionBubbleProps {
  message: Message
  attachments: ReadonlyMap<string, Attachment>
}

function QuestionBubble({ message, attachments }: QuestionBubbleProps) {
  const files = filesOf(message).flatMap(id => attachments.get(id) ?? [])
  return (
    <>
      {files.length > 0 && (
        <div className="-mb-4 flex flex-wrap gap-1.5 self-end">
          {files.map(file => (
            <AttachmentChip key={file.id} attachment={file} />
          ))}
        </div>
      )}
      <Bubble text={message.content} />
    </>
  )
}

const ConversationSkeleton = () => (
  <div role="status" aria-label="Loading" className="flex flex-col gap-6">
    <Skeleton className="h-9 w-64 self-end rounded-lg" />
    <div className="flex flex-col gap-2">
      <Skeleton className="h-3.5 w-4/5" />
      <Skeleton className="h-3.5 w-3/5" />
    </div>
  </div>
)
