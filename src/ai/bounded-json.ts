/** Reads the JSON of a model's answer up to a limit: a longer one could exhaust the memory. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024

export class AnswerTooLarge extends Error {}

export async function boundedJson(response: Response, maxBytes = MAX_ANSWER_BYTES): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop cancels the rest of the body.
    if (size > maxBytes) throw new AnswerTooLarge(`the endpoint sent more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
