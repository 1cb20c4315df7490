/** The behaviour of crud that resources rely on. */
import { expect, it } from 'vitest'
import { contextOf, onAnyEngine } from '../../test/support/service.ts'
import { setCrud } from './crud.ts'
import { defineRecord } from './resource.ts'
import { datetime, object, text, uuid } from './schema/index.ts'

const tag = defineRecord({
  table: 'tags',
  label: 'Tag',
  input: object({ name: text() }),
  output: object({ id: uuid(), name: text(), created_at: datetime() }),
})
const { create, update, createMany, updateMany, get } = setCrud(tag, {})
const CREATED = '2020-01-31T00:00:00.000Z'

onAnyEngine('crud', account => {
  it('writes columns that the server sets with { set }', async () => {
    const ctx = contextOf(await account())
    const made = await create(ctx, { name: 'a' }, { set: { created_at: CREATED } })
    expect(made).toMatchObject({ name: 'a', created_at: CREATED })
    await update(ctx, made.id, {}, { set: { created_at: '2021-01-31T00:00:00.000Z' } })
    expect((await get(ctx, made.id)).created_at).toBe('2021-01-31T00:00:00.000Z')
  })

  it('throws on a field that the input schema does not have, and writes nothing', async () => {
    const ctx = contextOf(await account())
    const { id } = await create(ctx, { name: 'a' })
    const wrong = { name: 'b', created_at: CREATED }
    const problem = 'tags has no input field created_at'
    await expect(create(ctx, wrong)).rejects.toThrow(problem)
    await expect(update(ctx, id, wrong)).rejects.toThrow(problem)
    await expect(createMany(ctx, [{ input: wrong }])).rejects.toThrow(problem)
    await expect(updateMany(ctx, [{ id, input: wrong }])).rejects.toThrow(problem)
    expect(await get(ctx, id)).toMatchObject({ name: 'a' })
  })
})
