// Exit code 0 if the service in this container is ready. Distroless images have no curl.
const { PORT = '8000' } = process.env
const response = await fetch(`http://127.0.0.1:${PORT}/ready`, { signal: AbortSignal.timeout(4000) }).catch(
  () => undefined,
)
process.exitCode = response?.ok ? 0 : 1
