/** Turns the body of an answer into what calls return. */
import { rememberEtag } from './etag.ts'
import { fileAnswers } from './generated/openapi.ts'

/** The type of a file is that of its content, so the path decides whether the answer is one. */
export async function read(response: Response, path?: string): Promise<unknown> {
  if (path !== undefined && fileAnswers.includes(path)) return response.blob()
  const type = response.headers.get('content-type') ?? ''
  if (/^application\/([\w.-]+\+)?json\b/.test(type)) {
    const body: unknown = await response.json()
    rememberEtag(body, response)
    return body
  }
  return response.text()
}
