/** Sending a draft: now, later, or not at all. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Send, Timer, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { Confirm } from '#components/dialog.tsx'
import { showError, toast } from '#components/toast.tsx'
import { kith, messageOf, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { refreshLists, useDelete } from '#data/records.ts'
import { offerUndo } from '#data/undo.ts'
import { formatDateTime } from '#lib/format.ts'
import type { Draft } from './boxes.ts'
import { SendLater } from './send-later.tsx'
import { render } from './use-preview.ts'
import { useSendAdvice } from './use-send-advice.ts'
import { variableLabel } from './use-variables.ts'

const store = (draft: Draft) => {
  queryClient.setQueryData(keys.record('emailDrafts', draft.id), draft)
  void refreshLists('emailDrafts')
}

const unschedule = async (draft_id: string) =>
  store(await kith.request('POST', '/api/email-drafts/{draft_id}/unschedule', { path: { draft_id } }))

interface DraftActionsProps {
  draft: Draft
  /** Returns the id of the draft, or '' when it could not be saved. */
  onSave: () => Promise<string>
}

export function DraftActions({ draft, onSave }: DraftActionsProps) {
  const navigate = useNavigate()
  const remove = useDelete('emailDrafts')
  const [asking, setAsking] = useState<{ at: string | null; missing: readonly string[] }>()
  const send = useSend(draft, onSave)
  const begin = async (at: string | null) => {
    // the preview may still be that of another recipient
    const { missing } = await render(draft)
    if (missing.length > 0) setAsking({ at, missing })
    else send.mutate(at)
  }
  const discard = async () => {
    // first: the page would save it when it is left, while the draft is being deleted
    const id = (await onSave()) || draft.id
    const leave = () => navigate({ to: '/mail' })
    if (id) remove.mutate({ id, name: draft.subject || 'the draft', leave })
    else await leave()
  }
  const isReady = draft.to.length > 0 && !send.isPending
  return (
    <>
      <IconButton label="Delete the draft" onClick={() => void discard()}>
        <Trash2 size={15} />
      </IconButton>
      <SendLater
        onChoose={at => void begin(at).catch(showError)}
        trigger={
          <Button size="sm" disabled={!isReady}>
            <Timer size={14} /> Send later
          </Button>
        }
      />
      <Button
        size="sm"
        variant="primary"
        disabled={!isReady}
        onClick={() => void begin(null).catch(showError)}
      >
        <Send size={14} /> Send
      </Button>
      <Confirm
        isOpen={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title="Send it with gaps?"
        action="Send"
        onConfirm={() => asking && send.mutate(asking.at)}
      >
        These variables have no value for the recipient and stay empty:{' '}
        {asking?.missing.map(variableLabel).join(', ')}.
      </Confirm>
    </>
  )
}

/** The service fills in the variables of the mail that it sends; the draft has its own text until then. */
function useSend(draft: Draft, onSave: () => Promise<string>) {
  const navigate = useNavigate()
  const advise = useSendAdvice()
  return useMutation({
    mutationFn: async (scheduled_at: string | null) => {
      const draft_id = await onSave()
      if (!draft_id) throw new Error('The draft could not be saved, so it was not sent.')
      const path = { draft_id }
      if (scheduled_at !== draft.scheduled_at) await kith.emailDrafts.patch(draft_id, { scheduled_at })
      const body = { fill_variables: true }
      return kith.request('POST', '/api/email-drafts/{draft_id}/send', { path, body })
    },
    onSuccess: (sent, scheduled_at) => {
      store(sent)
      if (scheduled_at) offerUndo(`Goes out ${formatDateTime(scheduled_at)}`, () => unschedule(sent.id))
      else toast('The mail is on its way')
      void navigate({ to: '/mail', search: { box: scheduled_at ? 'scheduled' : 'sent' } as never })
    },
    onError: error => {
      showError(new Error(advise(messageOf(error))))
      void queryClient.invalidateQueries({ queryKey: keys.record('emailDrafts', draft.id) })
    },
  })
}

export function ScheduledActions({ draft }: { draft: Draft }) {
  const cancel = useMutation({
    mutationFn: () => unschedule(draft.id),
    onSuccess: () => toast('It is a draft again'),
    onError: showError,
  })
  return (
    <Button size="sm" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
      Do not send
    </Button>
  )
}
