/** A public share as a page: no credentials, no script, and not listed anywhere. */
import type { ServiceCtx } from '../../kernel/context.ts'
import { publicEndpoint } from '../../kernel/endpoint.ts'
import { type Reply, rawReply } from '../../kernel/reply.ts'
import { object, type Schema } from '../../kernel/schema/index.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import { findShared, type SharedChat } from '../../resources/chats/shared-chat.ts'
import { escapeHtml } from '../../resources/email-templates/entities.ts'
import { htmlFromMarkdowns } from '../../resources/kb/convert.ts'
import { html, UNLISTED, unlistedHeaders } from '../public-pages/page.ts'

/** The limits of one page: rendering more is expensive, and few would read it to its end. */
const MAX_MESSAGES = 500
const MAX_CHARACTERS = 1_000_000
/** The characters of all answers, which are rendered: hostile markdown of this length takes a second. */
const MAX_RENDERED = 100_000

const anyToken: Schema<string> = {
  optional: false,
  json: { type: 'string' },
  check: input => (typeof input === 'string' && input.length <= 500 ? input : ''),
}

const answer = (page: string): Reply => rawReply(page, 'text/html; charset=utf-8', unlistedHeaders)

/** The same response for a wrong, expired, revoked or private share. */
const missing = html(
  'Page not found',
  '<main>\n<h1>Page not found</h1>\n<p>There is no page at this address.</p>\n</main>',
  UNLISTED,
)

async function page(ctx: ServiceCtx, token: string): Promise<Reply> {
  const chat = await findShared(ctx, token, false, MAX_MESSAGES + 1)
  return chat ? answer(await pageOf(chat)) : { ...answer(missing), status: 404 }
}

async function pageOf(chat: SharedChat): Promise<string> {
  const shown = shownOf(chat.messages)
  const answers = shown.filter(isAnswer)
  const rendered = await htmlFromMarkdowns(answers.map(({ content }) => content))
  const htmlOf = new Map(answers.map((message, i) => [message, withoutImages(rendered[i] ?? '')]))
  const parts = shown.map(message => messageHtml(message, htmlOf.get(message)))
  if (shown.length < chat.messages.length)
    parts.push('<p class="who">This chat goes on; the page ends here.</p>')
  const title = escapeHtml(chat.title)
  return html(chat.title, `<main>\n<h1>${title}</h1>\n${parts.join('\n')}\n</main>`, UNLISTED)
}

/** Replaced by their descriptions: loading an image would reveal the reader to its server. */
const withoutImages = (rendered: string): string =>
  rendered.replace(/<img\b[^>]*>/g, tag => /\balt="([^"]*)"/.exec(tag)?.[1] ?? '')

function shownOf(messages: readonly ChatMessage[]): ChatMessage[] {
  let [size, rendered] = [0, 0]
  const tooMany = messages.findIndex((message, i) => {
    size += message.content.length
    if (isAnswer(message)) rendered += message.content.length
    return i === MAX_MESSAGES || size > MAX_CHARACTERS || rendered > MAX_RENDERED
  })
  return messages.slice(0, tooMany < 0 ? undefined : tooMany)
}

const isAnswer = ({ role }: ChatMessage): boolean => role === 'assistant'

/** The assistant writes markdown, which is rendered; what people write is shown verbatim. */
function messageHtml({ content, created_at }: ChatMessage, answer: string | undefined): string {
  const words = answer ?? `<p class="plain">${escapeHtml(content)}</p>`
  const day = `<time datetime="${created_at}">${created_at.slice(0, 10)}</time>`
  return `<section class="said">\n<p class="who">${answer === undefined ? 'Question' : 'Assistant'} · ${day}</p>\n${words}\n</section>`
}

export const sharePageEndpoint = publicEndpoint({
  method: 'GET',
  path: '/share/{token}',
  tag: 'Public pages',
  summary: 'Get the page of a shared chat',
  description: 'No credentials. A share that is not public is a 404 like one that does not exist.',
  params: object({ token: anyToken }),
  responseContent: { 'text/html': { type: 'string' } },
  run: (ctx, { params }) => page(ctx, params.token),
})
