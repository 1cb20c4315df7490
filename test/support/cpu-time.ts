/** Milliseconds that this thread has worked: unlike the clock, the same on a busy machine. */
export const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
