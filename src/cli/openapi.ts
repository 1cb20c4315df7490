import { command } from './command.ts'

export const openapi = command({
  summary: 'prints the OpenAPI document',
  examples: ['kith openapi > openapi.json'],
  async run() {
    const { allEndpoints } = await import('../service.ts')
    const { openApi } = await import('../http/openapi/index.ts')
    console.log(JSON.stringify(openApi(allEndpoints()), null, 2))
  },
})
