import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventData, readStream } from './read-stream.ts'

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]) {
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const all = async (text: string, sizes: readonly number[]) => {
  const found: string[] = []
  for await (const data of eventData(inPieces(new TextEncoder().encode(text), sizes))) found.push(data)
  return found
}

it.each([
  ['data: a\n\ndata: b\n\n', ['a', 'b']],
  ['data:a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['data: a\r\rdata: b\r\r', ['a', 'b']],
  [': hello\n\nevent: x\ndata: a\n\n', ['a']],
  ['data: a\ndata: b\n\n', ['a\nb']],
  ['data: grüße 😀\n\n', ['grüße 😀']],
  ['data: unfinished', ['unfinished']],
  ['', []],
])('reads %j, wherever the chunks are split', async (text, expected) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      async sizes => {
        expect(await all(text, sizes)).toEqual(expected)
      },
    ),
    { numRuns: 30 },
  )
})

it('joins the pieces of tool calls', async () => {
  const chunk = (delta: unknown) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`
  const text = [
    chunk({ role: 'assistant', content: null }),
    chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get', arguments: '{"id"' } }] }),
    chunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'list', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
    chunk({ tool_calls: [{ index: 1000, function: { name: 'far', arguments: '' } }] }),
    chunk({ content: 'Hm' }),
    'data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":-1}}\n\n',
    'data: [DONE]\n\n',
  ].join('')
  const said: string[] = []
  const completion = await readStream(inPieces(new TextEncoder().encode(text), [7]), part => said.push(part))
  expect(said).toEqual(['Hm'])
  expect(completion).toEqual({
    content: 'Hm',
    toolCalls: [
      { id: 'a', type: 'function', function: { name: 'get', arguments: '{"id":1}' } },
      { id: 'b', type: 'function', function: { name: 'list', arguments: '' } },
    ],
    tokens: { prompt: 5, completion: 0 },
  })
})
