/** Mail: drafts, scheduled and sent mails, templates, and writing one. */
import { useParams } from '@tanstack/react-router'
import { Compose } from './compose.tsx'
import { Mailbox } from './mailbox.tsx'

export default function Mail() {
  const { id } = useParams({ strict: false })
  return id ? <Compose key={id} id={id} /> : <Mailbox />
}
