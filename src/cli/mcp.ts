import { loadConfig } from '../config.ts'
import { command } from './command.ts'
import { clientOf } from './service-client.ts'

export const mcp = command({
  summary: 'MCP over standard input and output, for agents that start their servers themselves',
  about:
    'Forwards each message to the service at KITH_URL, with the key in KITH_API_KEY. docs/mcp.md says more.',
  async run() {
    const client = clientOf(loadConfig())
    const { bridge } = await import('../features/mcp/stdio.ts')
    await bridge({ client, input: process.stdin, output: process.stdout })
  },
})
