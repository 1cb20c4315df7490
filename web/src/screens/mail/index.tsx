/** Mail: drafts, scheduled and sent mails, templates, and writing one. */
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { NEW } from './boxes.ts'
import { Compose } from './compose.tsx'
import { Mailbox } from './mailbox.tsx'

export default function Mail() {
  const { id } = useParams({ strict: false })
  // its page must not change when a new mail becomes a draft: the person is writing there
  const [begun, setBegun] = useState<string>()
  return id ? <Compose key={id === begun ? NEW : id} id={id} onBegin={setBegun} /> : <Mailbox />
}
