// A virtual display for machines that have none.
import { spawn } from 'node:child_process'

/** Starts Xvfb unless a display is there. @returns {Promise<{ display: string | undefined, virtual: boolean, stop(): void }>} */
export async function ensureDisplay({ width = 1680, height = 1050 } = {}) {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) {
    return { display: process.env.DISPLAY, virtual: false, stop() {} }
  }
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise((resolve, reject) => {
    server.on('error', reject)
    server.on('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
    server.stdio[3].once('data', (data) => resolve(String(data).trim()))
  })
  const display = `:${number}`
  process.env.DISPLAY = display
  const stop = () => server.kill()
  process.on('exit', stop)
  return { display, virtual: true, stop }
}
