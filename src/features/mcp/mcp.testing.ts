/** The official client, connected to a service. */
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { tempFolder } from '../../../test/support/process.ts'
import type { Account, Item } from '../../../test/support/service.ts'

/** The revision that names its version in each message, and the one before it with a handshake. */
export const ERAS = ['modern', 'handshake'] as const
export type Era = (typeof ERAS)[number]

const newClient = (era: Era): Client =>
  new Client(
    { name: 'test', version: '1.0.0' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  )

type Transport = Parameters<Client['connect']>[0]

async function connected(transport: Transport, era: Era): Promise<Client> {
  const client = newClient(era)
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

export const overHttp = ({ url, key }: Pick<Account, 'url' | 'key'>, era: Era = 'handshake') =>
  connected(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
    era,
  )

export const overStdio = ({ url, key }: Pick<Account, 'url' | 'key'>, era: Era = 'handshake') =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(new URL('../../../bin/kith.mjs', import.meta.url)), 'mcp'],
      env: { PATH: process.env.PATH ?? '', KITH_URL: url, KITH_API_KEY: key },
      cwd: tempFolder(),
    }),
    era,
  )

/** The result of a tool that must succeed. */
export async function use(client: Client, name: string, args: Item = {}): Promise<Item> {
  const result = await client.callTool({ name, arguments: args })
  if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`)
  return result.structuredContent as Item
}

/** The sentence of a tool that must fail. */
export async function failureOf(client: Client, name: string, args: Item = {}): Promise<string> {
  const result = await client.callTool({ name, arguments: args })
  if (!result.isError) throw new Error(`${name} did not fail: ${JSON.stringify(result.structuredContent)}`)
  const [content] = result.content
  return content?.type === 'text' ? content.text : ''
}
