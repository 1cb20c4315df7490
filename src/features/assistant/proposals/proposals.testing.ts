/** A chat with an answer in it, and proposals made as the assistant makes them for a caller. */
import { type Account, anotherMember, type Item } from '../../../../test/support/service.ts'
import { type Ctx, contextFor, type Role, transaction } from '../../../kernel/context.ts'
import { addMessage, type ChatMessageInput } from '../../../resources/chats/messages.ts'
import { type ProposedChange, propose, type ShownProposal } from './propose.ts'

export { anotherMember }

/** Stores an answer of the assistant directly; a posted message would be answered. */
export async function answered(me: Account, content = 'What I would do', metadata: Item = {}) {
  const chat = await me.create('/api/chats', { title: 'Plans' })
  const { id } = await say(me, chat.id, { role: 'assistant', content, metadata })
  return { chatId: chat.id as string, messageId: id as string }
}

export const say = (me: Account, chatId: string, message: ChatMessageInput): Promise<Item> =>
  addMessage(contextOf(me), chatId, message)

export const contextOf = (me: Account, role: Role = 'owner', scopes: string[] = ['*']): Ctx =>
  contextFor(me.service.services, {
    kind: 'user',
    id: me.userId,
    userId: me.userId,
    accountId: me.accountId,
    role,
    scopes,
  })

export async function proposed(
  me: Account,
  change: Omit<ProposedChange, 'chat_id' | 'message_id'>,
  at?: { chatId: string; messageId: string },
): Promise<ShownProposal & { chatId: string; messageId: string; path: string }> {
  const place = at ?? (await answered(me))
  const wanted = { ...change, chat_id: place.chatId, message_id: place.messageId }
  const made = await transaction(contextOf(me), tx => propose(tx, wanted))
  return {
    ...made,
    chatId: place.chatId,
    messageId: place.messageId,
    path: `/api/chats/proposals/${made.id}`,
  }
}
