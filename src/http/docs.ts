import type { FastifyInstance } from 'fastify'

export function docs(app: FastifyInstance, document: object): void {
  const text = JSON.stringify(document)
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(text),
  )
}
