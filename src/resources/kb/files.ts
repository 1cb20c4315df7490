/** Exports pages as markdown or HTML files, and imports either. */
import type { Ctx } from '../../kernel/context.ts'
import { type ApiRequest, type Endpoint, endpoint, type UploadPart } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { onceAfter } from '../../kernel/replay.ts'
import { asDownload, rawReply } from '../../kernel/reply.ts'
import type { Operations } from '../../kernel/resource.ts'
import {
  type Issue,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { escapeHtml } from '../email-templates/entities.ts'
import { type Content, emptyContent } from './content.ts'
import { contentFrom, contentFromHtml, htmlFrom, markdownFrom } from './convert.ts'
import { type Document, type DocumentInput, document, MAX_MARKDOWN, MAX_TITLE } from './record.ts'

type Documents = Pick<Operations<DocumentInput, Document>, 'get' | 'create'>

const tag = 'Knowledge base'
const MAX_FILE = 4_000_000

/** A self-contained HTML file, without scripts and without external resources. */
const htmlFile = (title: string, html: string): string =>
  `<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>${escapeHtml(title)}</title>\n</head>\n<body>\n` +
  `<h1>${escapeHtml(title)}</h1>\n${html}\n</body>\n</html>\n`

/** The title is in the front matter, as many tools write and read it. */
const markdownFile = (title: string, markdown: string): string =>
  `---\ntitle: ${JSON.stringify(title)}\n---\n\n${markdown}\n`

async function exported(ctx: Ctx, operations: Documents, id: string, format: 'md' | 'html') {
  const { type, title, slug, content, content_markdown } = await operations.get(ctx, id)
  if (type !== 'page') throw errors.conflict('A folder has no content to export')
  return format === 'md'
    ? rawReply(
        markdownFile(title, content_markdown ?? ''),
        'text/markdown; charset=utf-8',
        asDownload(`${slug}.md`),
      )
    : rawReply(
        htmlFile(title, await htmlFrom(content ?? emptyContent())),
        'text/html; charset=utf-8',
        asDownload(`${slug}.html`),
      )
}

interface Upload {
  name: string
  text: string
}

async function readParts(
  parts: AsyncIterable<UploadPart>,
): Promise<{ file: Upload | undefined; fields: Record<string, unknown> }> {
  const fields: Record<string, unknown> = {}
  let file: Upload | undefined
  for await (const part of parts) {
    if (part.type !== 'file') {
      if (part.fieldname in importFields.fields && part.value !== '') fields[part.fieldname] = part.value
    } else if (part.fieldname === 'file' && !file)
      file = { name: part.filename ?? '', text: await textOf(part.file) }
    else part.file.resume()
  }
  return { file, fields }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > MAX_FILE) throw errors.tooLarge('4 MB')
    chunks.push(chunk)
  }
  const words = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  if (words.includes('\0'))
    throw errors.unsupportedMedia('This is no text: markdown and HTML files can be imported')
  return words
}

const importFields = object({
  title: optional(text({ min: 1, max: MAX_TITLE, description: 'Default: derived from the file' })),
  parent_id: optional(nullable(uuid({ description: 'The folder to import into' }))),
  visibility: optional(oneOf(['private', 'public'])),
})

async function received(request: Pick<ApiRequest, 'parts'>): Promise<DocumentInput> {
  const { file, fields } = await readParts(request.parts())
  const issues: Issue[] = []
  const checked = importFields.check(fields, ['body'], issues)
  if (!file) issues.unshift({ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null })
  if (!file || issues.length > 0) throw errors.invalid(issues)
  const page = /\.x?html?$/i.test(file.name) ? await fromHtml(file.text) : await fromMarkdown(file)
  if (page.content_markdown.length > MAX_MARKDOWN) throw errors.tooLarge(`${MAX_MARKDOWN} characters of text`)
  const title = checked.title ?? titleOf(page, file.name)
  return {
    type: 'page',
    visibility: 'private',
    position: 0,
    ...checked,
    title,
    content: page.content,
    content_markdown: page.content_markdown,
  }
}

interface Page {
  title: string | undefined
  content: Content
  content_markdown: string
}

async function fromMarkdown(file: Upload): Promise<Page> {
  if (!/\.(md|markdown|mdown|mkd|txt)$/i.test(file.name)) {
    throw errors.unsupportedMedia('Only .md, .markdown, .txt, .html and .htm files can be imported')
  }
  const front = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(file.text)
  const content_markdown = file.text.slice(front?.[0].length ?? 0).trim()
  const content = await contentFrom(content_markdown)
  return { title: frontTitle(front?.[1] ?? '') ?? firstHeading(content), content, content_markdown }
}

function frontTitle(front: string): string | undefined {
  const value = /^title:[ \t]*(.+?)[ \t]*$/m.exec(front)?.[1]
  if (value === undefined) return undefined
  try {
    if (value.startsWith('"')) return String(JSON.parse(value))
  } catch {
    // not a JSON string: used verbatim
  }
  return value.replace(/^(['"])(.*)\1$/, '$2')
}

async function fromHtml(html: string): Promise<Page> {
  const content = await contentFromHtml(html)
  return { title: firstHeading(content), content, content_markdown: await markdownFrom(content) }
}

function firstHeading(content: Content): string | undefined {
  const blocks = content.content as { type: string; content?: { text?: string }[] }[]
  const heading = blocks.find(block => block.type === 'heading')
  return heading?.content?.map(inline => inline.text ?? ' ').join('')
}

function titleOf({ title }: Page, fileName: string): string {
  const words =
    (title ?? '').replace(/\s+/g, ' ').trim() || fileName.replace(/\.[^.]*$/, '').trim() || 'Untitled'
  return [...words].slice(0, MAX_TITLE).join('')
}

export const fileEndpoints = (operations: Documents): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/kb/documents/{document_id}/export',
    tag,
    permission: 'kb:read',
    summary: 'Export a page as markdown or HTML',
    description:
      'As a file named after the slug. The markdown begins with the title as front matter, which an import reads again. 409 for a folder.',
    query: object({ format: withDefault(oneOf(['md', 'html']), 'md') }),
    responseContent: { 'text/markdown': { type: 'string' }, 'text/html': { type: 'string' } },
    run: (ctx, { params, query }) => exported(ctx, operations, params.document_id, query.format),
  }),
  endpoint({
    method: 'POST',
    path: '/api/kb/documents/import',
    tag,
    permission: 'kb:write',
    summary: 'Import a page from markdown or HTML',
    description:
      'A multipart upload with `file` (at most 4 MB). The title comes from the front matter, the first heading or ' +
      'the name of the file. Scripts and styles of an HTML file are left out.',
    body: object({ file: text({ description: 'The file' }), ...importFields.fields }),
    multipart: true,
    response: document.output,
    status: 201,
    single: true,
    replaysItself: true,
    run: (ctx, request) =>
      onceAfter(ctx, request, {
        wait: () => received(request),
        write: (tx, page) => operations.create(tx, page),
      }),
  }),
]
