/** A public share as a page for people: without credentials, without a script, and found by nobody else. */
import type { ServiceCtx } from '../../kernel/context.ts'
import { publicEndpoint } from '../../kernel/endpoint.ts'
import { type Reply, rawReply } from '../../kernel/reply.ts'
import { object, type Schema } from '../../kernel/schema/index.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import { findShared, type SharedChat } from '../../resources/chats/shared-chat.ts'
import { escapeHtml } from '../../resources/email-templates/entities.ts'
import { contentOf, htmlOf } from '../../resources/kb/content.ts'
import { html, UNLISTED, unlistedHeaders } from '../public-pages/page.ts'

/** What one page shows: more would keep the service busy with a page that nobody reads to its end. */
const MAX_MESSAGES = 500
const MAX_CHARACTERS = 1_000_000

const anyToken: Schema<string> = {
  optional: false,
  json: { type: 'string' },
  check: input => (typeof input === 'string' && input.length <= 500 ? input : ''),
}

const answer = (page: string): Reply => rawReply(page, 'text/html; charset=utf-8', unlistedHeaders)

/** Wrong, expired, revoked, or not for strangers: all the same. */
const missing = html(
  'Page not found',
  '<main>\n<h1>Page not found</h1>\n<p>There is no page at this address.</p>\n</main>',
  UNLISTED,
)

async function page(ctx: ServiceCtx, token: string): Promise<Reply> {
  const chat = await findShared(ctx, token, false, MAX_MESSAGES + 1)
  return chat ? answer(pageOf(chat)) : { ...answer(missing), status: 404 }
}

function pageOf(chat: SharedChat): string {
  const parts: string[] = []
  let size = 0
  for (const message of chat.messages) {
    size += message.content.length
    if (parts.length === MAX_MESSAGES || size > MAX_CHARACTERS) {
      parts.push('<p class="who">This chat goes on; the page ends here.</p>')
      break
    }
    parts.push(said(message))
  }
  const title = escapeHtml(chat.title)
  return html(chat.title, `<main>\n<h1>${title}</h1>\n${parts.join('\n')}\n</main>`, UNLISTED)
}

/** The assistant writes markdown, people write as they like. */
function said({ role, content, created_at }: ChatMessage): string {
  const isAnswer = role === 'assistant'
  const words = isAnswer ? htmlOf(contentOf(content)) : `<p class="plain">${escapeHtml(content)}</p>`
  const day = `<time datetime="${created_at}">${created_at.slice(0, 10)}</time>`
  return `<section class="said">\n<p class="who">${isAnswer ? 'Assistant' : 'Question'} · ${day}</p>\n${words}\n</section>`
}

export const sharePageEndpoint = publicEndpoint({
  method: 'GET',
  path: '/share/{token}',
  tag: 'Public pages',
  summary: 'A public share of a chat, for people to read',
  description: 'No credentials. A share that is not public is a 404 like one that does not exist.',
  params: object({ token: anyToken }),
  responseContent: { 'text/html': { type: 'string' } },
  run: (ctx, { params }) => page(ctx, params.token),
})
