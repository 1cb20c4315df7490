/** Ask: questions about the records, in chats. */
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, MessageCircleQuestion, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonClass } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Keys } from '#components/keys.tsx'
import { Screen } from '#components/screen.tsx'
import { useRecord } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { usePhone } from '#lib/use-media.ts'
import { Conversation } from './conversation.tsx'
import { ShareDialog } from './share-dialog.tsx'
import { SharedChat } from './shared-chat.tsx'
import { Start } from './start.tsx'
import { Threads } from './threads.tsx'

export default function Ask() {
  const { id } = useParams({ strict: false })
  const { share }: Record<string, unknown> = useSearch({ strict: false })
  const isPhone = usePhone()
  const { data: chat } = useRecord('chats', id)
  const isWriter = useIsWriter()
  const [isSharing, setSharing] = useState(false)
  const back = (
    <Link to="/ask" aria-label="All chats" className={buttonClass('ghost', 'icon', '-ml-1.5')}>
      <ArrowLeft size={16} />
    </Link>
  )
  if (share !== undefined) return <SharedChat token={String(share)} />
  if (!isWriter) {
    return (
      <Screen title="Ask">
        <EmptyState icon={MessageCircleQuestion} title="Chats are for members">
          You can read everything here. Ask single questions in the search: <Keys shortcut="mod+k" />
        </EmptyState>
      </Screen>
    )
  }
  return (
    <Screen
      title={id ? chat?.title || 'New chat' : 'Ask'}
      before={isPhone && id ? back : undefined}
      actions={
        id && (
          <Button variant="ghost" size="sm" onClick={() => setSharing(true)}>
            <Share2 size={14} /> Share
          </Button>
        )
      }
    >
      <div className="flex h-full max-[719px]:h-auto max-[719px]:min-h-full max-[719px]:flex-col">
        {!isPhone && <Threads current={id} />}
        {id ? (
          <div className="min-w-0 flex-1 max-[719px]:absolute max-[719px]:inset-0">
            <Conversation key={id} chatId={id} />
          </div>
        ) : (
          <Start />
        )}
        {isPhone && !id && <Threads current={id} />}
      </div>
      {isSharing && id && <ShareDialog chatId={id} onClose={() => setSharing(false)} />}
    </Screen>
  )
}
