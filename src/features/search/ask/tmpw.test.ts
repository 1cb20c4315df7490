import { readFileSync, writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { newAccount } from '../../../../test/support/service.ts'
import { beginHere, indexed } from '../testing.ts'
import { smallWorld } from './wordings.testing.ts'
it('x', async () => {
  const indexer = await beginHere('server')
  const account = await newAccount('server')
  await smallWorld(account)
  await indexed(account)
  const out: string[] = []
  for (const question of readFileSync('/tmp/s6/wordings.txt', 'utf8').split('\n').filter(Boolean)) {
    const { body } = await account.post('/api/search/ask', { question })
    out.push(`${body.model === 'data' ? (body.grounded ? 'D' : 'R') : body.grounded ? 'E' : '-'} ${question}\n      ${body.answer.slice(0, 160)} {${body.citations.map((c: { name: string }) => c.name).join(', ')}}`)
  }
  writeFileSync('/tmp/s6/wordings.out', out.join('\n'))
  await indexer.stop()
}, 240_000)
