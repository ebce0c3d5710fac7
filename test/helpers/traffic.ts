import type { ElectronApplication } from 'playwright-core'

/** IPC messages, and all secrets on the network, since recording started. */
export interface Traffic {
  /** Requests, responses, and announcements, as text. */
  messages: string[]
  secrets: Record<string, string[]>
}

/**
 * Records in main: every bridge request, response, and announcement, and all secrets on the network: bearer tokens, and what
 * the token endpoint received and sent.
 */
export async function recordTraffic(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(({ ipcMain, net, BrowserWindow }) => {
    const traffic: Traffic = { messages: [], secrets: {} }
    ;(globalThis as unknown as { traffic: Traffic }).traffic = traffic
    const note = (kind: string, value: unknown): void => {
      if (typeof value !== 'string' || value === '') return
      const known = (traffic.secrets[kind] ??= [])
      if (!known.includes(value)) known.push(value)
    }

    const channel = 'flightplan:request'
    type Handler = (event: unknown, ...args: unknown[]) => Promise<unknown>
    const handlers = (ipcMain as unknown as { _invokeHandlers: Map<string, Handler> })._invokeHandlers
    const handler = handlers.get(channel)
    if (!handler) throw new Error('The bridge has no handler')
    handlers.set(channel, async (event, ...args) => {
      traffic.messages.push(JSON.stringify(args))
      // Electron responds through the event, under a name that depends on its version.
      const { _replyChannel: replies } = event as { _replyChannel?: { sendReply: (value: unknown) => void } }
      const record = (value: unknown): void => void traffic.messages.push(JSON.stringify(value))
      const whole = event as Record<string, unknown>
      const { _reply: answers } = whole as { _reply?: (value: unknown) => void }
      if (answers) whole['_reply'] = (value: unknown) => (record(value), answers(value))
      if (replies) whole['_replyChannel'] = { sendReply: (value: unknown) => (record(value), replies.sendReply(value)) }
      return handler(event, ...args)
    })
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents)
      webContents.send = (...args) => {
        traffic.messages.push(JSON.stringify(args))
        send(...args)
      }
    }

    const request = net.request.bind(net)
    net.request = (options) => {
      const sent = request(options)
      const address = typeof options === 'string' ? options : (options.url ?? '')
      const setHeader = sent.setHeader.bind(sent)
      sent.setHeader = (name, value) => {
        if (name.toLowerCase() === 'authorization') note('bearer', value.replace(/^(Bearer|Basic) /, ''))
        setHeader(name, value)
      }
      if (address.includes('/oauth/')) {
        const write = sent.write.bind(sent)
        sent.write = (chunk, ...more) => {
          const form = new URLSearchParams(chunk.toString())
          for (const name of ['code', 'code_verifier', 'refresh_token', 'client_secret', 'token'])
            note(name, form.get(name) ?? undefined)
          write(chunk, ...more)
        }
      }
      if (/\/oauth\/token$|\/renew-bearer$|\/people$/.test(address)) {
        sent.on('response', (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part) => parts.push(part))
          answer.on('end', () => {
            const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
            for (const name of ['access_token', 'refresh_token', 'token']) note(name, body[name])
          })
        })
      }
      return sent
    }
  })
}

export const trafficOf = (electron: ElectronApplication): Promise<Traffic> =>
  electron.evaluate(() => (globalThis as unknown as { traffic: Traffic }).traffic)
