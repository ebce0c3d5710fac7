/** A line between windows. Messages are copies, and arrive in order. */
export interface Line {
  send(message: object): void
  listen(listener: (message: unknown) => void): void
  close(): void
}

/** How windows reach each other, and notice that one ended. */
export interface Peers {
  /** Everyone who opened the line of this name hears what the others send. */
  line(name: string): Line
  /** Holds a name until released or until this window ends. @returns releases it */
  hold(name: string): Promise<() => void>
  /** Resolves once a held name is released. */
  released(name: string): Promise<void>
}

export const systemPeers: Peers = {
  line: (name) => {
    const channel = new BroadcastChannel(name)
    return {
      send: (message) => channel.postMessage(message),
      listen: (listener) => (channel.onmessage = ({ data }) => listener(data)),
      close: () => channel.close(),
    }
  },
  hold: (name) =>
    new Promise((resolve) => {
      void navigator.locks.request(name, () => new Promise<void>((release) => resolve(release)))
    }),
  released: (name) => navigator.locks.request(name, () => undefined),
}

export const meetingLine = (accountId: string): string => `flightplan:${accountId}:windows`
