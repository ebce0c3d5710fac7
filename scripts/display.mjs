// A virtual display for machines that have none, and for windows that need one of their own.
import { spawn } from 'node:child_process'

/** Makes sure that there is a display. @returns {Promise<{ display: string | undefined, virtual: boolean, stop(): void }>} */
export async function ensureDisplay({ width = 1680, height = 1050 } = {}) {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) {
    return { display: process.env.DISPLAY, virtual: false, stop() {} }
  }
  const { display, stop } = await startDisplay({ width, height })
  process.env.DISPLAY = display
  return { display, virtual: true, stop }
}

/** Starts Xvfb, which ends with this process at the latest. @returns {Promise<{ display: string, stop(): void }>} */
export async function startDisplay({ width, height }) {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise((resolve, reject) => {
    server.on('error', reject)
    server.on('exit', (code) => reject(new Error(`Xvfb exited with ${code}`)))
    server.stdio[3].once('data', (data) => resolve(String(data).trim()))
  })
  server.unref()
  const stop = () => server.kill()
  process.on('exit', stop)
  return { display: `:${number}`, stop }
}
