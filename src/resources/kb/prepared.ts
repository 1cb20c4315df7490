/**
 * Creates and updates pages by request, with the content converted before the transaction begins. A conversion takes
 * up to 30 seconds, and on the embedded engine every other request waits for an open transaction.
 */
import type { Ctx } from '../../kernel/context.ts'
import { type ApiRequest, pathParam } from '../../kernel/endpoint.ts'
import { HttpError } from '../../kernel/errors.ts'
import { updateRequested } from '../../kernel/general-endpoints.ts'
import { mergePatch } from '../../kernel/merge-patch.ts'
import { onceAfter } from '../../kernel/replay.ts'
import type { Reply } from '../../kernel/reply.ts'
import type { Resource } from '../../kernel/resource.ts'
import { isRecord } from '../../lib/values.ts'
import { contentProblem } from './content.ts'
import { bothForms, operations, written } from './operations.ts'
import { type Document, type DocumentInput, MAX_MARKDOWN } from './record.ts'

type Run<T> = (ctx: Ctx, request: ApiRequest) => Promise<T>

export const createPage: Run<Reply> = (ctx, request) => {
  const input: DocumentInput = request.body
  return onceAfter(ctx, request, {
    wait: () => (input.type === 'page' ? bothForms(input) : Promise.resolve({})),
    write: (tx, forms) => operations.create(tx, { ...input, ...forms }),
  })
}

export const updatePage =
  (resource: Resource<DocumentInput, Document>): Run<unknown> =>
  async (ctx, request) => {
    const id = pathParam(request, resource.idParam)
    const converted = await convertedFor(ctx, id, request)
    const update = (tx: Ctx, _id: string, input: Partial<DocumentInput>) =>
      operations.update(tx, id, converted(input))
    const run = (get: typeof operations.get | typeof written.get) => {
      const page = { ...resource, operations: { ...operations, get, update } }
      return updateRequested(ctx, page, request)
    }
    return withEitherEtag(
      () => run(written.get),
      () => run(operations.get),
    )(ctx, request)
  }

/**
 * A document has two forms: get and list count a folder's children, the other answers do not. So it has two
 * ETags as well, and a write under If-Match takes either.
 */
export const withEitherEtag =
  (plain: Run<unknown>, counted: Run<unknown>): Run<unknown> =>
  (ctx, request) =>
    plain(ctx, request).catch(error => {
      if (error instanceof HttpError && error.status === 412) return counted(ctx, request)
      throw error
    })

/**
 * Converts the content of the update, and returns a function that adds it to the input. A merge patch is merged here with
 * the content of this moment; if that has changed when the transaction reads it, the conversion happens there.
 */
async function convertedFor(ctx: Ctx, id: string, { body, isMergePatch }: ApiRequest) {
  const { content_markdown } = body
  let { content } = body
  if (isMergePatch && isRecord(content)) content = mergePatch((await written.get(ctx, id)).content, content)
  if (isMergePatch && !isConvertible(content, content_markdown))
    return (input: Partial<DocumentInput>) => input
  const forms = await bothForms({ content, content_markdown })
  const source = JSON.stringify([content, content_markdown])
  return (input: Partial<DocumentInput>): Partial<DocumentInput> =>
    JSON.stringify([input.content, input.content_markdown]) === source ? { ...input, ...forms } : input
}

/** A merge patch is not checked before it is merged, so it may contain anything here. */
const isConvertible = (content: unknown, markdown: unknown): boolean =>
  (content == null || (isRecord(content) && contentProblem(content) === undefined)) &&
  (markdown == null || (typeof markdown === 'string' && markdown.length <= MAX_MARKDOWN))
